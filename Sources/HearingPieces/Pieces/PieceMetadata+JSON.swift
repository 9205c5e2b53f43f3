public import Foundation
public import HearingFitting

extension PieceMetadata {
  /// Reads metadata from JSON.
  ///
  ///     {
  ///       "title": "Rain on tin",
  ///       "length": 8000000,
  ///       "tempo": 120,
  ///       "loop": {"start": 0, "end": 8000000},
  ///       "timeSignature": {"upper": 4, "lower": 4},
  ///       "basedOn": ["2q7f-9x4k"],
  ///       "tonality": {"kind": "tonal", "root": 4, "pitchClasses": [false, true, …]}
  ///     }
  ///
  /// | key | what it holds |
  /// |---|---|
  /// | `title` | 1 to 200 Unicode scalars, no control characters |
  /// | `length` | microseconds, 1 to 86,400,000,000 |
  /// | `tempo` | beats a minute, 1 to 999.999; may be missing |
  /// | `loop` | `start` before `end`, in microseconds, inside the length; may be missing |
  /// | `timeSignature` | `upper` 1 to 16, `lower` 2, 4, 8 or 16; may be missing |
  /// | `basedOn` | identifiers of pieces, each once; may be missing |
  /// | `tonality` | `kind` "unknown", "atonal" or "tonal"; with "tonal", twelve `pitchClasses` from C upwards and a `root` of 0 to 11; missing: unknown |
  ///
  /// Keys that are not known are passed over. The same schema is used by `Codable`.
  ///
  /// - Throws: `UnreadableDocument`, for whatever the bytes may be; a wrong value's place is told.
  public init(json data: Data) throws(UnreadableDocument) {
    self = try JSONDocument.read(PieceMetadata.self, from: data)
  }

  /// The metadata as JSON, in the schema that ``init(json:)`` reads: keys sorted, indented, the
  /// same bytes for equal metadata.
  public func jsonData() -> Data {
    JSONDocument.write(self)
  }
}
