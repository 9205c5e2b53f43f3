internal import Foundation

/// The validated contents of the `fmt ` chunk.
struct FormatChunk {
  /// The size of an extensible format chunk in bytes. Further bytes of the chunk are skipped.
  static let extensibleByteCount = 40

  /// The sub-format of `WAVE_FORMAT_EXTENSIBLE` consists of a format tag and these bytes
  /// (`KSDATAFORMAT_SUBTYPE_PCM` and others in Microsoft's `ksmedia.h`).
  static let subFormatTail: [UInt8] = [
    0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71,
  ]

  private static let minimumByteCount = 16
  private static let extensible = 0xFFFE

  let format: WAVFormat

  /// The number of valid bits in a sample, counted from the most significant bit.
  let validBitsPerSample: Int

  /// Parses the contents of the chunk. The argument `offset` is the position of `bytes` in the
  /// file.
  ///
  /// The width of an integer in bytes is `nBlockAlign / nChannels`. If only some of its bits are
  /// valid, these are the most significant bits. A frame size (`nBlockAlign`) of 0 means the
  /// minimum size that holds the samples.
  init(_ bytes: [UInt8], offset: Int) throws(WAVReadError) {
    guard bytes.count >= Self.minimumByteCount else {
      throw .formatTooShort(
        byteCount: bytes.count, needed: Self.minimumByteCount, offset: offset)
    }
    let statedTag = bytes.integer(at: 0, as: UInt16.self)
    let channelCount = bytes.integer(at: 2, as: UInt16.self)
    let sampleRate = bytes.integer(at: 4, as: UInt32.self)
    let frameSize = bytes.integer(at: 12, as: UInt16.self)
    let bits = bytes.integer(at: 14, as: UInt16.self)
    let tag = try Self.resolvedTag(statedTag, bytes: bytes, offset: offset)
    guard SampleEncoding.allCases.contains(where: { $0.formatTag == tag }) else {
      throw .unsupportedEncoding(formatTag: tag, bitsPerSample: bits, offset: offset)
    }
    guard (1...WAVFormat.channelCountLimit).contains(channelCount) else {
      throw .unsupportedChannelCount(channelCount, offset: offset + 2)
    }
    guard sampleRate > 0 else { throw .zeroSampleRate(offset: offset + 4) }
    let sampleSize = (bits + 7) / 8
    let container = frameSize == 0 ? sampleSize : frameSize / channelCount
    let isConsistent = frameSize % channelCount == 0 && container >= sampleSize
    guard isConsistent, let encoding = Self.encoding(tag: tag, bits: bits, container: container)
    else {
      if isConsistent, Self.encoding(tag: tag, bits: bits, container: sampleSize) == nil {
        throw .unsupportedEncoding(formatTag: tag, bitsPerSample: bits, offset: offset)
      }
      throw .inconsistentFrameSize(
        byteCount: frameSize, expected: channelCount * sampleSize, offset: offset + 12)
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
    _ tag: Int, bytes: [UInt8], offset: Int
  ) throws(WAVReadError) -> Int {
    guard tag == extensible else { return tag }
    guard bytes.count >= extensibleByteCount else {
      throw .formatTooShort(byteCount: bytes.count, needed: extensibleByteCount, offset: offset)
    }
    guard bytes[26..<extensibleByteCount].elementsEqual(subFormatTail) else {
      throw .unsupportedSubFormat(identifier: identifier(bytes[24...]), offset: offset + 24)
    }
    return bytes.integer(at: 24, as: UInt16.self)
  }

  /// A sub-format as a GUID string, for error messages.
  private static func identifier(_ bytes: ArraySlice<UInt8>) -> String {
    let order = [3, 2, 1, 0, -1, 5, 4, -1, 7, 6, -1, 8, 9, -1, 10, 11, 12, 13, 14, 15]
    return order.map { index in
      index < 0 ? "-" : String(format: "%02x", bytes[bytes.startIndex + index])
    }.joined()
  }

  private static func encoding(tag: Int, bits: Int, container: Int) -> SampleEncoding? {
    SampleEncoding.allCases.first { encoding in
      let isSuitable = encoding.isFloatingPoint ? bits == encoding.bitsPerSample : bits > 0
      return encoding.formatTag == tag && encoding.byteCount == container && isSuitable
    }
  }
}
