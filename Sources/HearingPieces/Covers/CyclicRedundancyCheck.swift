/// The checksum of PNG's chunks: CRC-32 of ISO 3309 and ITU-T V.42, polynomial 0xEDB88320 reflected.
enum CyclicRedundancyCheck {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in
      rest & 1 == 1 ? 0xEDB8_8320 ^ rest >> 1 : rest >> 1
    }
  }

  static func value(of bytes: ArraySlice<UInt8>) -> UInt32 {
    let table = table
    let rest = bytes.reduce(UInt32.max) { rest, byte in
      table[Int((rest ^ UInt32(byte)) & 0xFF)] ^ rest >> 8
    }
    return ~rest
  }
}
