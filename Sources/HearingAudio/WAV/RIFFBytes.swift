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

  /// The names that identify a chunk if the padding byte before it is missing.
  static let common: [Self] = [.format, .data, .sizes64, .fact, .junk, .list, "bext", "id3 "]

  init(_ b0: UInt8, _ b1: UInt8, _ b2: UInt8, _ b3: UInt8) {
    bytes = (b0, b1, b2, b3)
  }

  /// The four bytes at `offset`.
  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    self.init(bytes[offset], bytes[offset + 1], bytes[offset + 2], bytes[offset + 3])
  }

  static func == (a: Self, b: Self) -> Bool {
    a.bytes == b.bytes
  }
}

extension FourCharacterCode: ExpressibleByStringLiteral {
  init(stringLiteral value: StaticString) {
    precondition(value.utf8CodeUnitCount == 4, "'\(value)' does not have four bytes")
    let start = value.utf8Start
    self.init(start[0], start[1], start[2], start[3])
  }
}

extension FourCharacterCode: CustomStringConvertible {
  /// The four characters; unprintable ones as hexadecimal numbers.
  var description: String {
    [bytes.0, bytes.1, bytes.2, bytes.3].map { byte in
      (0x20...0x7E).contains(byte)
        ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}

extension UnsafeRawBufferPointer {
  /// The unsigned little-endian integer at `offset`, which need not be aligned.
  ///
  /// A 64-bit value beyond `Int.max` is read as `Int.max`: more than any file has.
  func integer<Value: FixedWidthInteger & UnsignedInteger>(
    at offset: Int, as type: Value.Type
  ) -> Int {
    Int(clamping: Value(littleEndian: loadUnaligned(fromByteOffset: offset, as: type)))
  }
}

extension [UInt8] {
  /// Appends `value`, least significant byte first.
  mutating func appendLittleEndian(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends the name of a chunk.
  mutating func append(_ code: FourCharacterCode) {
    append(contentsOf: [code.bytes.0, code.bytes.1, code.bytes.2, code.bytes.3])
  }
}
