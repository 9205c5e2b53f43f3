public import Foundation

extension HearingProfile {
  /// Reads a profile from a file in any supported format. The content determines the format.
  ///
  ///     let profile = try HearingProfile(contentsOf: URL(filePath: "export.xml"))
  ///     let older = try HearingProfile(contentsOf: file, selecting: .day(day))
  ///
  /// | format | content |
  /// |---|---|
  /// | Apple Health | `export.xml` of any size; the memory use does not depend on the size |
  /// | HL7 FHIR, JSON | Bundle or Observation, LOINC panel 89015-2 or Personal Health Records |
  /// | CSV | frequencies in a column or in a row; the header `frequency_hz`, `left_dbhl`, `right_dbhl` is optional |
  /// | JSON of this package | the output of ``jsonData()`` |
  ///
  /// The text encoding is UTF-8 (with or without a byte order mark) or UTF-16. Files in formats
  /// other than Apple Health may have at most 16 MiB. Thresholds from -20 to 130 dB HL are
  /// accepted. Thresholds outside -10 to 120 dB HL are clamped and flagged. The audiogram of an ear
  /// without values is nil. The initialiser opens only the file at `url`.
  ///
  /// The call blocks the calling thread until the file has been read.
  ///
  /// - Throws: ``UnreadableDocument``, which contains the line or the element of the error.
  public init(
    contentsOf url: URL, selecting selection: ProfileSelection = .newest
  ) throws(UnreadableDocument) {
    self = try selection.measurement(of: Self.all(contentsOf: url)).profile
  }

  /// Reads a profile from data in any supported format, in the same way as
  /// ``init(contentsOf:selecting:)``.
  ///
  /// - Throws: ``UnreadableDocument``, which contains the line or the element of the error.
  public init(
    reading data: Data, selecting selection: ProfileSelection = .newest
  ) throws(UnreadableDocument) {
    self = try selection.measurement(of: Self.all(in: data)).profile
  }

  /// Returns all measurements in a file, in the order of the file. There is at least one
  /// measurement.
  ///
  /// - Throws: ``UnreadableDocument`` for the same errors as ``init(contentsOf:selecting:)``.
  public static func all(contentsOf url: URL) throws(UnreadableDocument) -> [ImportedProfile] {
    try DocumentReader.profiles(from: DocumentBytes(contentsOf: url))
  }

  /// Returns all measurements in data, in the order of the data. There is at least one measurement.
  ///
  /// - Throws: ``UnreadableDocument`` for the same errors as ``init(reading:selecting:)``.
  public static func all(in data: Data) throws(UnreadableDocument) -> [ImportedProfile] {
    try DocumentReader.profiles(from: DocumentBytes(data))
  }
}
