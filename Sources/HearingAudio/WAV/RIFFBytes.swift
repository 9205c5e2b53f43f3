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

  /// Common chunk names. If the padding byte before a chunk is missing, the parser recognizes the
  /// chunk by these names.
  static let common: [Self] = [.format, .data, .sizes64, .fact, .junk, .list, "bext", "id3 "]

  init(_ b0: UInt8, _ b1: UInt8, _ b2: UInt8, _ b3: UInt8) {
    bytes = (b0, b1, b2, b3)
  }

  /// The four bytes at `offset`.
  init(_ bytes: [UInt8], at offset: Int) {
    self.init(bytes[offset], bytes[offset + 1], bytes[offset + 2], bytes[offset + 3])
  }

  static func == (a: Self, b: Self) -> Bool {
    a.bytes == b.bytes
  }
}

extension FourCharacterCode: ExpressibleByStringLiteral {
  init(stringLiteral value: String) {
    let bytes = Array(value.utf8)
    precondition(bytes.count == 4, "'\(value)' does not have four bytes")
    self.init(bytes, at: 0)
  }
}

extension FourCharacterCode: CustomStringConvertible {
  /// The four characters. Unprintable characters are replaced by hexadecimal numbers.
  var description: String {
    [bytes.0, bytes.1, bytes.2, bytes.3].map { byte in
      (0x20...0x7E).contains(byte)
        ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}

extension [UInt8] {
  /// The unsigned little-endian integer at `offset`.
  ///
  /// A 64-bit value beyond `Int.max` is read as `Int.max`, which is larger than any file.
  func integer<Value: FixedWidthInteger & UnsignedInteger>(
    at offset: Int, as type: Value.Type
  ) -> Int {
    var value: Value = 0
    for byte in self[offset..<offset + Value.bitWidth / 8].reversed() {
      value = value << 8 | Value(byte)
    }
    return Int(clamping: value)
  }

  /// Appends `value`, least significant byte first.
  mutating func appendLittleEndian(_ value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// Appends the name of a chunk.
  mutating func append(_ code: FourCharacterCode) {
    append(contentsOf: [code.bytes.0, code.bytes.1, code.bytes.2, code.bytes.3])
  }
}
