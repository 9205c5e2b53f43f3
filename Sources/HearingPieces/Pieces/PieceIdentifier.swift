/// Names a piece in a library and in links to it.
///
///     guard let identifier = PieceIdentifier("2q7f-9x4k") else { … }
///
/// One to 64 small letters a…z, digits and hyphens, the first no hyphen: safe in a file's name and
/// in a link whatever they do to case, and never a way out of a folder. It says nothing about where
/// the piece is.
public struct PieceIdentifier: Sendable, Hashable {
  /// The identifier as text.
  public let text: String

  /// The most characters that an identifier has.
  public static let lengthLimit = 64

  private static let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyz")

  /// The identifier that `text` is; nil if it is none.
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

  /// An identifier that nobody has yet: sixteen random characters, 82 bits.
  public static func random() -> PieceIdentifier {
    PieceIdentifier(
      unchecked: String(
        (0..<16).map { _ in alphabet[Int.random(in: alphabet.indices)] }))
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"):
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
  /// The order of the text.
  public static func < (first: PieceIdentifier, second: PieceIdentifier) -> Bool {
    first.text < second.text
  }
}
