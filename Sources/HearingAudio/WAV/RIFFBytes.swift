/// The four bytes that name a chunk of a RIFF file.
struct FourCharacterCode: Equatable, Sendable {
  /// The bytes as a little-endian integer.
  let value: UInt32

  /// The names of common chunks. If the padding byte before a chunk is missing, the parser
  /// recognizes the chunk by one of these names.
  static let common: [Self] = [
    "fmt ", "data", "ds64", "fact", "JUNK", "LIST", "bext", "id3 ",
  ]

  /// Reads the four bytes at `offset`.
  init(_ bytes: [UInt8], at offset: Int) {
    value = bytes.littleEndian(at: offset)
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
  /// The name as text of four characters. Unprintable characters are replaced by hexadecimal
  /// numbers.
  var description: String {
    stride(from: 0, to: 32, by: 8).map { shift in
      let byte = UInt8(truncatingIfNeeded: value >> shift)
      return (0x20...0x7E).contains(byte)
        ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}

extension [UInt8] {
  /// Reads the unsigned little-endian integer at `offset`.
  ///
  /// A 64-bit value beyond `Int.max` is read as `Int.max`, which is larger than any file.
  func integer<Value: FixedWidthInteger & UnsignedInteger>(
    at offset: Int, as type: Value.Type
  ) -> Int {
    Int(clamping: littleEndian(at: offset) as Value)
  }

  /// Reads the unsigned little-endian integer at `offset`.
  func littleEndian<Value: FixedWidthInteger & UnsignedInteger>(at offset: Int) -> Value {
    self[offset..<offset + Value.bitWidth / 8].reversed().reduce(0) { $0 << 8 | Value($1) }
  }

  /// Appends the bytes of each value, with the least significant byte first.
  mutating func appendLittleEndian<each Value: FixedWidthInteger>(_ values: repeat each Value) {
    for value in repeat each values {
      for shift in stride(from: 0, to: value.bitWidth, by: 8) {
        append(UInt8(truncatingIfNeeded: value >> shift))
      }
    }
  }

  /// Appends the name of a chunk.
  mutating func append(_ code: FourCharacterCode) {
    appendLittleEndian(code.value)
  }
}
