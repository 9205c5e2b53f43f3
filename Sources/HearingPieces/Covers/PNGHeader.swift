/// Reads the dimensions of a PNG image and checks all chunks up to the end of the image.
///
/// Source: W3C Portable Network Graphics Specification (Third Edition), clauses 5 and 11.2.
enum PNGHeader {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let header = Array("IHDR".utf8)
  private static let data = Array("IDAT".utf8)
  private static let end = Array("IEND".utf8)

  /// The total size in bytes of the length, the name and the checksum of a chunk.
  private static let frame = 12

  static func begins(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: signature)
  }

  /// Returns the dimensions of a PNG image.
  ///
  /// - Throws: `PieceContent.Invalid` if the header, a chunk or the checksum of a chunk is invalid.
  static func size(_ bytes: [UInt8]) throws(PieceContent.Invalid) -> PixelSize {
    var offset = signature.count
    var size: PixelSize?
    var hasData = false
    while true {
      let chunk = try chunk(bytes, at: offset)
      let name = Array(bytes[(offset + 4)..<(offset + 8)])
      switch (name, size) {
      case (header, nil):
        size = try self.size(bytes, chunk)
      case (_, nil):
        throw .malformedImage(offset: offset, reason: "the first chunk is not IHDR")
      case (header, _):
        throw .malformedImage(offset: offset, reason: "a second IHDR chunk")
      case (data, _):
        hasData = hasData || !chunk.isEmpty
      case (end, let size?):
        guard hasData else {
          throw .malformedImage(offset: offset, reason: "no pixels before the end")
        }
        return size
      default: break
      }
      offset = chunk.upperBound + 4
    }
  }

  /// Checks the length and the checksum of the chunk at `offset`, and returns the range of its
  /// contents.
  private static func chunk(
    _ bytes: [UInt8], at offset: Int
  ) throws(PieceContent.Invalid) -> Range<Int> {
    guard bytes.count - offset >= frame else { throw .truncatedImage(offset: bytes.count) }
    let length = Int(clamping: number(bytes, at: offset))
    guard length <= bytes.count - offset - frame else { throw .truncatedImage(offset: bytes.count) }
    let contents = (offset + 8)..<(offset + 8 + length)
    let checksum = CyclicRedundancyCheck.value(of: bytes[(offset + 4)..<contents.upperBound])
    guard checksum == number(bytes, at: contents.upperBound) else {
      throw .malformedImage(offset: contents.upperBound, reason: "a chunk's checksum is wrong")
    }
    return contents
  }

  private static func size(
    _ bytes: [UInt8], _ contents: Range<Int>
  ) throws(PieceContent.Invalid) -> PixelSize {
    let start = contents.lowerBound
    guard contents.count == 13 else {
      throw .malformedImage(offset: start, reason: "IHDR has \(contents.count) bytes instead of 13")
    }
    let depths: [Int] =
      switch bytes[start + 9] {
      case 0: [1, 2, 4, 8, 16]
      case 3: [1, 2, 4, 8]
      case 2, 4, 6: [8, 16]
      default: []
      }
    guard depths.contains(Int(bytes[start + 8])) else {
      throw .malformedImage(
        offset: start + 8,
        reason: "colour type \(bytes[start + 9]) with \(bytes[start + 8]) bits")
    }
    guard bytes[start + 10] == 0, bytes[start + 11] == 0, bytes[start + 12] <= 1 else {
      throw .malformedImage(
        offset: start + 10, reason: "an unknown compression, filter or interlace method")
    }
    return PixelSize(
      width: Int(clamping: number(bytes, at: start)),
      height: Int(clamping: number(bytes, at: start + 4)))
  }

  /// The big-endian number in the four bytes at `offset`.
  private static func number(_ bytes: [UInt8], at offset: Int) -> UInt32 {
    bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }
}

/// The checksum of PNG chunks: CRC-32 (ISO 3309 and ITU-T V.42) with the reflected polynomial
/// 0xEDB88320.
private enum CyclicRedundancyCheck {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { remainder, _ in
      remainder & 1 == 1 ? 0xEDB8_8320 ^ remainder >> 1 : remainder >> 1
    }
  }

  static func value(of bytes: ArraySlice<UInt8>) -> UInt32 {
    let table = table
    let remainder = bytes.reduce(UInt32.max) { remainder, byte in
      table[Int((remainder ^ UInt32(byte)) & 0xFF)] ^ remainder >> 8
    }
    return ~remainder
  }
}
