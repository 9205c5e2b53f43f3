/// Reads the dimensions of a JPEG image and searches for the end of the image.
///
/// Source: ITU-T T.81 (09/92), Annex B.
enum JPEGHeader {
  private static let startOfImage: [UInt8] = [0xFF, 0xD8, 0xFF]

  /// The supported types of JPEG frame, SOF0 to SOF2. All other types are lossless, hierarchical or
  /// arithmetically coded. Few image viewers support lossless, hierarchical or arithmetically coded
  /// JPEG images.
  private static let knownFrames: ClosedRange<UInt8> = 0xC0...0xC2
  private static let startOfScan: UInt8 = 0xDA
  private static let endOfImage: UInt8 = 0xD9

  static func begins(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: startOfImage)
  }

  /// Returns the dimensions of a JPEG image.
  ///
  /// - Throws: `PieceContent.Invalid` if a marker segment is malformed, or if the frame, the scan
  ///   or the end of the image is missing.
  static func size(_ bytes: [UInt8]) throws(PieceContent.Invalid) -> PixelSize {
    var offset = 2
    var size: PixelSize?
    while true {
      let marker = try marker(bytes, at: &offset)
      switch marker {
      case 0x01, 0xD0...0xD7:
        continue
      case 0x00, 0xD8, endOfImage:
        throw .malformedImage(offset: offset - 1, reason: "no frame and no scan before this marker")
      default: break
      }
      let segment = try segment(bytes, at: offset)
      if isFrame(marker) {
        guard knownFrames.contains(marker) else {
          throw .malformedImage(
            offset: offset - 1, reason: "a frame that is neither sequential nor progressive")
        }
        guard size == nil else { throw .malformedImage(offset: offset, reason: "a second frame") }
        size = try self.size(bytes, segment)
      }
      offset = segment.upperBound
      guard marker == startOfScan else { continue }
      guard let size else {
        throw .malformedImage(offset: offset, reason: "a scan without a frame")
      }
      try checkEnd(bytes, from: offset)
      return size
    }
  }

  /// Returns the second byte of the next marker. The first byte of a marker is 0xFF. Between the
  /// two bytes, there may be any number of fill bytes (0xFF).
  private static func marker(
    _ bytes: [UInt8], at offset: inout Int
  ) throws(PieceContent.Invalid) -> UInt8 {
    guard offset < bytes.count else { throw .truncatedImage(offset: bytes.count) }
    guard bytes[offset] == 0xFF else {
      throw .malformedImage(offset: offset, reason: "no marker where a segment must begin")
    }
    while offset < bytes.count, bytes[offset] == 0xFF { offset += 1 }
    guard offset < bytes.count else { throw .truncatedImage(offset: bytes.count) }
    offset += 1
    return bytes[offset - 1]
  }

  /// The range of the contents of a marker segment. The length field of the segment is at `offset`,
  /// and is not included in the range.
  private static func segment(
    _ bytes: [UInt8], at offset: Int
  ) throws(PieceContent.Invalid) -> Range<Int> {
    guard bytes.count - offset >= 2 else { throw .truncatedImage(offset: bytes.count) }
    let length = number(bytes, at: offset)
    guard length >= 2 else {
      throw .malformedImage(offset: offset, reason: "a segment of \(length) bytes")
    }
    guard length <= bytes.count - offset else { throw .truncatedImage(offset: bytes.count) }
    return (offset + 2)..<(offset + length)
  }

  /// Whether the marker begins a frame (SOF0 to SOF15). The markers DHT, JPG and DAC also have
  /// numbers between SOF0 and SOF15. However, DHT, JPG and DAC do not begin a frame.
  private static func isFrame(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
  }

  private static func size(
    _ bytes: [UInt8], _ contents: Range<Int>
  ) throws(PieceContent.Invalid) -> PixelSize {
    let start = contents.lowerBound
    guard contents.count >= 6, contents.count == 6 + 3 * Int(bytes[start + 5]),
      bytes[start + 5] >= 1
    else {
      throw .malformedImage(offset: start, reason: "a frame header of \(contents.count) bytes")
    }
    return PixelSize(
      width: number(bytes, at: start + 3), height: number(bytes, at: start + 1))
  }

  private static func checkEnd(_ bytes: [UInt8], from start: Int) throws(PieceContent.Invalid) {
    var previous: UInt8 = 0
    for byte in bytes[start...] {
      if previous == 0xFF, byte == endOfImage { return }
      previous = byte
    }
    throw .truncatedImage(offset: bytes.count)
  }

  /// The big-endian number in the two bytes at `offset`.
  private static func number(_ bytes: [UInt8], at offset: Int) -> Int {
    Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
  }
}
