internal import HearingFitting

/// The identifier of a piece in a library and in links.
///
///     guard let identifier = PieceIdentifier("2q7f-9x4k") else { … }
///
/// An identifier consists of 1 to 64 characters: letters a…z and A…Z, digits, and hyphens. The
/// first character must not be a hyphen. With only letters, digits and hyphens, an identifier can
/// never be a path to a file outside the library folder. A UUID is a valid identifier. The
/// identifiers of a ``FolderPieceLibrary`` contain no upper-case letters, because some file systems
/// do not distinguish upper-case letters from lower-case letters.
public struct PieceIdentifier: Sendable, Hashable {
  /// The identifier as text.
  public let text: String

  /// The maximum length of an identifier, in characters.
  public static let lengthLimit = 64

  private static let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyz")

  /// Creates an identifier. The initializer fails if `text` is not a valid identifier.
  public init?(_ text: some StringProtocol) {
    let bytes = text.utf8
    guard let first = bytes.first, bytes.count <= Self.lengthLimit, first != UInt8(ascii: "-"),
      bytes.allSatisfy(Self.isAllowed)
    else { return nil }
    self.text = String(text)
  }

  private init(unchecked text: String) {
    self.text = text
  }

  /// Creates an identifier of sixteen random characters (82 random bits).
  public static func random() -> PieceIdentifier {
    PieceIdentifier(
      unchecked: String(
        (0..<16).map { _ in alphabet[Int.random(in: alphabet.indices)] }))
  }

  var hasCapitals: Bool {
    text.utf8.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension PieceIdentifier: CustomStringConvertible {
  /// The identifier as text.
  public var description: String { text }
}

extension PieceIdentifier: Comparable {
  /// Compares the texts of two identifiers in lexicographic order.
  public static func < (first: PieceIdentifier, second: PieceIdentifier) -> Bool {
    first.text < second.text
  }
}

extension PieceIdentifier: Codable {
  /// Decodes an identifier from a string.
  ///
  /// - Throws: `DecodingError` if the string is not an identifier. The error contains the coding
  ///   path of the string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let identifier = PieceIdentifier(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(text.inQuotationMarks) is not an identifier of a piece")
    }
    self = identifier
  }

  /// Encodes the identifier as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
