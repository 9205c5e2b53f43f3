/// The contents of the `fmt ` chunk, checked.
struct FormatChunk: Equatable {
  /// The part of the chunk that is looked at; anything beyond is passed over.
  static let longestByteCount = 40

  private static let shortestByteCount = 16
  private static let pcm = 1
  private static let float = 3
  private static let extensible = 0xFFFE

  let format: WAVFormat

  /// How many of the stored bits carry sound, the upper ones; at most what the encoding has.
  let validBitsPerSample: Int

  /// Reads the chunk from `bytes`, which stand at `offset` in the file.
  ///
  /// The integer's width is that of its container, `nBlockAlign / nChannels`: integers with fewer
  /// valid bits occupy the upper ones. A frame size of 0 is taken to be what the samples need.
  init(_ bytes: UnsafeRawBufferPointer, offset: Int) throws(WAVReadError) {
    guard bytes.count >= Self.shortestByteCount else {
      throw .formatTooShort(
        byteCount: bytes.count, needed: Self.shortestByteCount, offset: offset)
    }
    let statedTag = bytes.integer(at: 0, as: UInt16.self)
    let channelCount = bytes.integer(at: 2, as: UInt16.self)
    let sampleRate = bytes.integer(at: 4, as: UInt32.self)
    let frameSize = bytes.integer(at: 12, as: UInt16.self)
    let bits = bytes.integer(at: 14, as: UInt16.self)
    let tag = try Self.resolvedTag(statedTag, bytes: bytes, offset: offset)
    guard tag == Self.pcm || tag == Self.float else {
      throw .unsupportedEncoding(formatTag: tag, bitsPerSample: bits, offset: offset)
    }
    guard (1...WAVFormat.channelCountLimit).contains(channelCount) else {
      throw .unsupportedChannelCount(channelCount, offset: offset + 2)
    }
    guard sampleRate > 0 else { throw .zeroSampleRate(offset: offset + 4) }
    let sampleSize = (bits + 7) / 8
    let container: Int
    if frameSize == 0 {
      container = sampleSize
    } else if frameSize % channelCount == 0, frameSize / channelCount >= sampleSize {
      container = frameSize / channelCount
    } else {
      throw .inconsistentFrameSize(
        byteCount: frameSize, expected: channelCount * sampleSize, offset: offset + 12)
    }
    guard let encoding = Self.encoding(tag: tag, bits: bits, container: container) else {
      guard Self.encoding(tag: tag, bits: bits, container: sampleSize) == nil else {
        throw .inconsistentFrameSize(
          byteCount: frameSize, expected: channelCount * sampleSize, offset: offset + 12)
      }
      throw .unsupportedEncoding(formatTag: tag, bitsPerSample: bits, offset: offset)
    }
    let isExtensible = statedTag == Self.extensible
    format = WAVFormat(
      sampleRate: sampleRate, channelCount: channelCount, encoding: encoding,
      channelMask: isExtensible ? UInt32(bytes.integer(at: 20, as: UInt32.self)) : nil)
    let validBits = isExtensible ? bytes.integer(at: 18, as: UInt16.self) : bits
    validBitsPerSample =
      (1...encoding.bitsPerSample).contains(validBits) ? validBits : encoding.bitsPerSample
  }

  private static func resolvedTag(
    _ tag: Int, bytes: UnsafeRawBufferPointer, offset: Int
  ) throws(WAVReadError) -> Int {
    guard tag == extensible else { return tag }
    guard bytes.count >= longestByteCount else {
      throw .formatTooShort(byteCount: bytes.count, needed: longestByteCount, offset: offset)
    }
    guard let subTag = SubFormat.tag(in: bytes, at: 24) else {
      throw .unsupportedSubFormat(
        identifier: SubFormat.notation(of: bytes, at: 24), offset: offset + 24)
    }
    return Int(subTag)
  }

  private static func encoding(tag: Int, bits: Int, container: Int) -> SampleEncoding? {
    guard bits > 0 else { return nil }
    switch (tag, container) {
    case (pcm, 1): return .uint8
    case (pcm, 2): return .int16
    case (pcm, 3): return .int24
    case (pcm, 4): return .int32
    case (float, 4) where bits == 32: return .float32
    case (float, 8) where bits == 64: return .float64
    default: return nil
    }
  }
}
