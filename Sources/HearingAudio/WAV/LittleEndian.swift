extension UnsafeRawBufferPointer {
  /// The unsigned little-endian integer at `offset`, which need not be aligned.
  ///
  /// Beyond `Int.max`, which only 64-bit sizes can be, it is `Int.max`: more than any file has.
  func integer<Value: FixedWidthInteger & UnsignedInteger>(
    at offset: Int, as type: Value.Type
  ) -> Int {
    Int(clamping: Value(littleEndian: loadUnaligned(fromByteOffset: offset, as: type)))
  }
}

extension [UInt8] {
  /// Appends `value` with its least significant byte first.
  mutating func appendLittleEndian(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends the name of a chunk.
  mutating func append(_ code: FourCharacterCode) {
    append(contentsOf: [code.bytes.0, code.bytes.1, code.bytes.2, code.bytes.3])
  }
}
