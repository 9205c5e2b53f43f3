/// The validated contents of the `fmt ` chunk.
struct FormatChunk: Equatable {
  /// At most this number of bytes is read. Further bytes of the chunk are skipped.
  static let maximumByteCount = extensibleByteCount

  /// The size of an extensible format chunk in bytes.
  private static let extensibleByteCount = 40

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
    guard let subTag = SubFormat.tag(in: bytes, at: 24) else {
      throw .unsupportedSubFormat(
        identifier: SubFormat.notation(of: bytes, at: 24), offset: offset + 24)
    }
    return Int(subTag)
  }

  private static func encoding(tag: Int, bits: Int, container: Int) -> SampleEncoding? {
    SampleEncoding.allCases.first { encoding in
      let isSuitable = encoding.isFloatingPoint ? bits == encoding.bitsPerSample : bits > 0
      return encoding.formatTag == tag && encoding.byteCount == container && isSuitable
    }
  }
}

/// The sub-format of `WAVE_FORMAT_EXTENSIBLE`. The sub-format consists of a format tag and 14 fixed
/// bytes (`KSDATAFORMAT_SUBTYPE_PCM` and others in Microsoft's `ksmedia.h`).
enum SubFormat {
  static let byteCount = 16

  static let tail: [UInt8] = [
    0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71,
  ]

  /// The format tag of the sub-format that starts at `offset`. Nil if the bytes after the tag
  /// differ from ``tail``.
  static func tag(in bytes: [UInt8], at offset: Int) -> UInt16? {
    let identifier = bytes[offset..<offset + byteCount]
    guard identifier.dropFirst(2).elementsEqual(tail) else { return nil }
    return UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
  }

  /// The sub-format as a GUID string, for error messages.
  static func notation(of bytes: [UInt8], at offset: Int) -> String {
    let order = [3, 2, 1, 0, -1, 5, 4, -1, 7, 6, -1, 8, 9, -1, 10, 11, 12, 13, 14, 15]
    return order.map { index in
      guard index >= 0 else { return "-" }
      let byte = bytes[offset + index]
      return (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
