/// Why a file, or what came as one, was not read.
///
/// The same for every format and every kind of content; `description` is one line.
public enum UnreadableDocument: Error, Sendable, Equatable {
  /// There are more bytes than a document of this kind may have.
  case tooLarge(bytes: Int, limit: Int)
  /// The bytes are not what the format's grammar allows.
  case malformed(reason: String)
  /// The document is of another kind.
  case wrongFormat(expected: String, found: String)
  /// The document was written in a later version of its schema than this package knows.
  case newerVersion(format: String, version: Int, known: Int)
  /// Something is missing, of the wrong kind or out of range at a place, such as
  /// "left.points[3].threshold".
  case invalid(place: String, reason: String)
  /// The file cannot be opened or read.
  case inaccessible(reason: String)
  /// The content is none of the formats that are read; `hint` says what it looks like.
  case unknownFormat(hint: String)
  /// The format is known, but there is no audiogram in it.
  case noAudiogram(reason: String)
  /// None of the audiograms in the document is the one asked for.
  case notThere(reason: String)
}

extension UnreadableDocument: CustomStringConvertible {
  /// One line that names the place and the reason.
  public var description: String {
    switch self {
    case .tooLarge(let bytes, let limit):
      "\(bytes) bytes, but at most \(limit) are read"
    case .malformed(let reason):
      reason
    case .wrongFormat(let expected, let found):
      "format: \(found.inQuotationMarks), expected \(expected.inQuotationMarks)"
    case .newerVersion(let format, let version, let known):
      "version: \(version) of \(format) is newer than the known version \(known)"
    case .invalid(let place, let reason):
      place.isEmpty ? reason : "\(place): \(reason)"
    case .inaccessible(let reason), .noAudiogram(let reason), .notThere(let reason):
      reason
    case .unknownFormat(let hint):
      "not an Apple Health export, HL7 FHIR, CSV or hearing profile: \(hint)"
    }
  }
}
