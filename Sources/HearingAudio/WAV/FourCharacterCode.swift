/// The four bytes that name a chunk of a RIFF file.
struct FourCharacterCode: Equatable, Sendable {
  let bytes: (UInt8, UInt8, UInt8, UInt8)

  static let riff: Self = "RIFF"
  static let rf64: Self = "RF64"
  static let bw64: Self = "BW64"
  static let wave: Self = "WAVE"
  static let format: Self = "fmt "
  static let data: Self = "data"
  static let sizes64: Self = "ds64"
  static let fact: Self = "fact"
  static let junk: Self = "JUNK"
  static let list: Self = "LIST"

  /// The names of chunks that are known well enough to be recognised where a pad byte is missing.
  static let common: [Self] = [.format, .data, .sizes64, .fact, .junk, .list, "bext", "id3 "]

  init(_ b0: UInt8, _ b1: UInt8, _ b2: UInt8, _ b3: UInt8) {
    bytes = (b0, b1, b2, b3)
  }

  /// The four bytes of `bytes` from `offset` on.
  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    self.init(bytes[offset], bytes[offset + 1], bytes[offset + 2], bytes[offset + 3])
  }

  static func == (a: Self, b: Self) -> Bool {
    a.bytes == b.bytes
  }
}

extension FourCharacterCode: ExpressibleByStringLiteral {
  init(stringLiteral value: StaticString) {
    precondition(value.utf8CodeUnitCount == 4, "'\(value)' has not four bytes")
    let start = value.utf8Start
    self.init(start[0], start[1], start[2], start[3])
  }
}

extension FourCharacterCode: CustomStringConvertible {
  /// The four characters; what cannot be printed as its hexadecimal value.
  var description: String {
    [bytes.0, bytes.1, bytes.2, bytes.3].map { byte in
      (0x20...0x7E).contains(byte)
        ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
