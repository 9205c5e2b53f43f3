/// The type of an attachment, such as "audio/midi".
///
///     let type = try MediaType("application/x-rain-project")
///
/// A media type consists of a type and a subtype, without parameters. The type and the subtype have
/// 1…127 characters each. Source: RFC 6838, section 4.2.
public struct MediaType: Sendable, Hashable {
  /// The media type in lower case.
  public let text: String

  /// The media type of data of an unknown type.
  public static let octetStream = MediaType(checked: "application/octet-stream")

  private static let nameLimit = 127

  /// Parses a media type. Upper-case letters are converted to lower case.
  public init(_ text: String) throws(PieceContent.Invalid) {
    let names = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard names.count == 2, names.allSatisfy(Self.isName) else { throw .notAMediaType(text) }
    self.text = text.lowercased()
  }

  private init(checked text: String) {
    self.text = text
  }

  private static func isName(_ name: Substring.UTF8View) -> Bool {
    guard let first = name.first, name.count <= nameLimit, isLetterOrDigit(first) else {
      return false
    }
    return name.allSatisfy { isLetterOrDigit($0) || "!#$&-^_.+".utf8.contains($0) }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch UnicodeScalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: false
    }
  }
}

extension MediaType: CustomStringConvertible {
  /// The media type as text.
  public var description: String { text }
}

extension MediaType: Codable {
  /// Decodes a media type from a string.
  ///
  /// - Throws: `DecodingError` if the string is not a media type. The error contains the coding
  ///   path of the string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      try self.init(try container.decode(String.self))
    } catch let error as PieceContent.Invalid {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
    }
  }

  /// Encodes the media type as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
