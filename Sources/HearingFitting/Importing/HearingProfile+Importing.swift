public import Foundation

extension HearingProfile {
  /// Reads a profile from a file in any of the known formats, told by what is in it.
  ///
  ///     let profile = try HearingProfile(contentsOf: URL(filePath: "export.xml"))
  ///     let older = try HearingProfile(contentsOf: file, selecting: .day(day))
  ///
  /// | format | what is read |
  /// |---|---|
  /// | Apple Health | `export.xml` of any size, streamed: memory does not grow with it |
  /// | HL7 FHIR, JSON | Bundle or Observation, LOINC panel 89015-2 or the form of Personal Health Records |
  /// | CSV | columns `frequency_hz`, `left_dbhl`, `right_dbhl` |
  /// | JSON of this package | as ``jsonData()`` writes it |
  ///
  /// UTF-8, with or without a byte order mark, and UTF-16 are read; all but Apple Health up to
  /// 16 MiB. Thresholds from -20 to 130 dB HL are accepted and those beyond -10 to 120 dB HL clamped
  /// and flagged. An ear without a value is unknown. Nothing outside of the file is ever opened.
  ///
  /// The call blocks while it reads.
  ///
  /// - Throws: ``UnreadableDocument``, with the line or the element, whatever the file may be.
  public init(
    contentsOf url: URL, selecting selection: ProfileSelection = .newest
  ) throws(UnreadableDocument) {
    self = try selection.profile(of: Self.all(contentsOf: url))
  }

  /// Reads a profile from bytes in any of the known formats, as
  /// ``init(contentsOf:selecting:)``.
  ///
  /// - Throws: ``UnreadableDocument``, with the line or the element, whatever the bytes may be.
  public init(
    reading data: Data, selecting selection: ProfileSelection = .newest
  ) throws(UnreadableDocument) {
    self = try selection.profile(of: Self.all(in: data))
  }

  /// All measurements that a file holds, in its order; at least one.
  ///
  /// - Throws: ``UnreadableDocument``, as ``init(contentsOf:selecting:)``.
  public static func all(contentsOf url: URL) throws(UnreadableDocument) -> [ImportedProfile] {
    try DocumentReader.profiles(from: DocumentBytes(contentsOf: url))
  }

  /// All measurements that bytes hold, in their order; at least one.
  ///
  /// - Throws: ``UnreadableDocument``, as ``init(reading:selecting:)``.
  public static func all(in data: Data) throws(UnreadableDocument) -> [ImportedProfile] {
    try DocumentReader.profiles(from: DocumentBytes(data))
  }
}
