/// The sub-format of `WAVE_FORMAT_EXTENSIBLE`: a format tag in front of a fixed tail of 14 bytes
/// (`KSDATAFORMAT_SUBTYPE_PCM` and its relatives in Microsoft's `ksmedia.h`).
enum SubFormat {
  static let byteCount = 16

  static let tail: [UInt8] = [
    0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71,
  ]

  /// The format tag within the sub-format at `offset`, `nil` if it is none of this family.
  static func tag(in bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt16? {
    let identifier = bytes[offset..<offset + byteCount]
    guard identifier.dropFirst(2).elementsEqual(tail) else { return nil }
    return UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
  }

  /// The identifier in the usual notation, for messages.
  static func notation(of bytes: UnsafeRawBufferPointer, at offset: Int) -> String {
    let order = [3, 2, 1, 0, -1, 5, 4, -1, 7, 6, -1, 8, 9, -1, 10, 11, 12, 13, 14, 15]
    return order.map { index in
      guard index >= 0 else { return "-" }
      let byte = bytes[offset + index]
      return (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
