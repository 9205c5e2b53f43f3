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
  /// | key | value |
  /// |---|---|
  /// | `title` | 1 to 200 Unicode scalars, no control characters |
  /// | `length` | microseconds, 1 to 86,400,000,000 |
  /// | `tempo` | beats per minute, 1 to 999.999; optional |
  /// | `loop` | `start` before `end`, in microseconds, inside the length; optional |
  /// | `timeSignature` | `upper` 1 to 16, `lower` 2, 4, 8 or 16; optional |
  /// | `basedOn` | identifiers of pieces, each at most once; optional |
  /// | `tonality` | see below; default: unknown |
  ///
  /// `tonality` has a key `kind` with the value "unknown", "atonal" or "tonal". If the kind is
  /// "tonal", `tonality` also has the keys `pitchClasses` (twelve Booleans, from C upwards) and
  /// `root` (0 to 11).
  ///
  /// Unknown keys are ignored. The `Codable` conformance uses the same schema.
  ///
  /// - Throws: `UnreadableDocument` if the bytes are invalid. If a value is invalid, the error
  ///   contains the path of this value in the JSON.
  public init(json data: Data) throws(UnreadableDocument) {
    self = try JSONDocument.read(PieceMetadata.self, from: data)
  }

  /// The metadata as JSON in the schema of ``init(json:)``, with indentation and sorted keys. Equal
  /// metadata produce the same bytes.
  public func jsonData() -> Data {
    JSONDocument.write(self)
  }
}

extension PieceMetadata: Codable {
  private enum Key: String, CodingKey {
    case title
    case length
    case tempo
    case loop
    case timeSignature
    case basedOn
    case tonality
  }

  /// Decodes metadata in the schema of ``init(json:)``. Unknown keys are ignored.
  ///
  /// - Throws: `DecodingError` with the reason, and with the coding path of the invalid value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let title = try container.value(String.self, at: .title)
    let length = try container.optionalValue(Int64.self, at: .length)
    let tempo = try container.optionalValue(Double.self, at: .tempo)
    let loop = try container.optionalValue(LoopMarkers.self, at: .loop)
    let timeSignature = try container.optionalValue(TimeSignature.self, at: .timeSignature)
    let basedOn = try container.optionalValue([PieceIdentifier].self, at: .basedOn)
    let tonality = try container.optionalValue(Tonality.self, at: .tonality)
    self = try container.validated {
      try Self(
        title: title, length: length, tempo: tempo, loop: loop, timeSignature: timeSignature,
        basedOn: basedOn ?? [], tonality: tonality ?? .unknown)
    }
  }

  /// Encodes the metadata in the schema of ``init(json:)``. A property that is nil is omitted.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(title, forKey: .title)
    try container.encodeIfPresent(length, forKey: .length)
    try container.encodeIfPresent(tempo, forKey: .tempo)
    try container.encodeIfPresent(loop, forKey: .loop)
    try container.encodeIfPresent(timeSignature, forKey: .timeSignature)
    if !basedOn.isEmpty { try container.encode(basedOn, forKey: .basedOn) }
    try container.encode(tonality, forKey: .tonality)
  }
}

extension PieceMetadata.Invalid: PositionedReason {}
