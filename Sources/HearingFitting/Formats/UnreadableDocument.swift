/// The reason why a document cannot be read. The document is a file, or data in memory.
///
/// The readers of all formats throw this error. The property `description` is one line of text.
public enum UnreadableDocument: Error, Sendable, Equatable, CustomStringConvertible {
  /// The document is larger than the size limit of the document's format.
  case tooLarge(bytes: Int, limit: Int)
  /// The bytes do not follow the syntax of the format.
  case malformed(reason: String)
  /// The document does not have the expected format.
  case wrongFormat(expected: String, found: String)
  /// The version of the document's schema is later than the latest version that this package can
  /// read.
  case newerVersion(format: String, version: Int, known: Int)
  /// A value is missing, has the wrong type or is out of range. For example, `position` is
  /// "left.points[3].threshold" or "line 2, cell 3".
  case invalid(position: String, reason: String)
  /// The file cannot be opened or read.
  case inaccessible(reason: String)
  /// The format of the document is not supported. `hint` describes the content of the document.
  case unknownFormat(hint: String)
  /// The document contains no audiogram.
  case noAudiogram(reason: String)
  /// The document does not contain the requested audiogram.
  case notThere(reason: String)

  /// A one-line description of the error, with the position and the reason.
  public var description: String {
    switch self {
    case .tooLarge(let bytes, let limit):
      "\(bytes) bytes, but at most \(limit) are read"
    case .wrongFormat(let expected, let found):
      "format: \(found.inQuotationMarks), expected \(expected.inQuotationMarks)"
    case .newerVersion(let format, let version, let known):
      "version: \(version) of \(format) is newer than the known version \(known)"
    case .invalid(let position, let reason):
      position.isEmpty ? reason : "\(position): \(reason)"
    case .malformed(let reason), .inaccessible(let reason), .noAudiogram(let reason),
      .notThere(let reason):
      reason
    case .unknownFormat(let hint):
      "not an Apple Health export, HL7 FHIR, CSV or hearing profile: \(hint)"
    }
  }
}
