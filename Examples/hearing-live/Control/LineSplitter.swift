/// Puts lines together from pieces that end anywhere.
struct LineSplitter: Sendable {
  /// No command is longer, in bytes.
  static let limit = 8_192

  private var rest: [UInt8] = []
  private var isTooLong = false

  /// What a line turned out to be.
  enum Line {
    case text(String)
    /// Longer than any command; its bytes are gone.
    case tooLong
  }

  /// Takes a piece, and returns the lines that it completes; blank ones are left out.
  mutating func add(_ piece: some Sequence<UInt8>) -> [Line] {
    var lines: [Line] = []
    for byte in piece {
      if byte == UInt8(ascii: "\n") {
        lines += finish()
      } else if rest.count == Self.limit {
        isTooLong = true
      } else {
        rest.append(byte)
      }
    }
    return lines
  }

  /// The line that lacks its end, when nothing more will come.
  mutating func finish() -> [Line] {
    defer {
      rest = []
      isTooLong = false
    }
    if isTooLong { return [.tooLong] }
    let text = String(decoding: rest, as: UTF8.self)
    return text.allSatisfy(\.isWhitespace) ? [] : [.text(text)]
  }
}
