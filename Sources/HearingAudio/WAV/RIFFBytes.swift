extension [UInt8] {
  /// The name of the chunk that starts at `offset`. Each of the four bytes of the name becomes one
  /// Unicode scalar.
  func chunkName(at offset: Int) -> String {
    String(String.UnicodeScalarView(self[offset..<offset + 4].map { UnicodeScalar($0) }))
  }

  /// Appends the name of a chunk, and then the little-endian bytes of each integer.
  mutating func append<each Value: FixedWidthInteger>(
    _ chunkName: String, _ values: repeat each Value
  ) {
    append(contentsOf: chunkName.utf8)
    appendLittleEndian(repeat each values)
  }

  /// Reads the unsigned little-endian integer at `offset`.
  ///
  /// If a 64-bit integer exceeds `Int.max`, the result is `Int.max`. No file has so many bytes.
  func integer<Value: FixedWidthInteger & UnsignedInteger>(
    at offset: Int, as type: Value.Type
  ) -> Int {
    let bytes = self[offset..<offset + Value.bitWidth / 8]
    return Int(clamping: bytes.reversed().reduce(0 as Value) { $0 << 8 | Value($1) })
  }

  /// Appends the bytes of each integer, with the least significant byte first.
  mutating func appendLittleEndian<each Value: FixedWidthInteger>(_ values: repeat each Value) {
    for value in repeat each values {
      for shift in stride(from: 0, to: value.bitWidth, by: 8) {
        append(UInt8(truncatingIfNeeded: value >> shift))
      }
    }
  }
}
