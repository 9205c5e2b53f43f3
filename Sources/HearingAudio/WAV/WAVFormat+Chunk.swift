internal import Foundation

/// Parses the `fmt ` chunk of a WAV file.
extension WAVFormat {
  /// The number of bytes that are read from an extensible format chunk. Further bytes are skipped.
  static let extensibleByteCount = 40

  /// The last 14 bytes of the sub-format in a format chunk of the type `WAVE_FORMAT_EXTENSIBLE`. A
  /// sub-format has 16 bytes. The first two bytes are the format tag. Source: Microsoft's
  /// `ksmedia.h`.
  static let subFormatTail: [UInt8] = [
    0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71,
  ]

  /// Creates a format from the contents of a `fmt ` chunk. The argument `offset` is the number of
  /// bytes before the contents in the file. `nBlockAlign`, `nChannels` and `wBitsPerSample` are
  /// fields of the chunk.
  ///
  /// `nBlockAlign` is the size of a frame in bytes. An integer sample has `nBlockAlign / nChannels`
  /// bytes. If only some bits of a sample are valid, the valid bits are the most significant bits.
  /// If `nBlockAlign` is 0, a sample has the smallest number of bytes for `wBitsPerSample` bits.
  init(formatChunk bytes: [UInt8], offset: Int) throws(WAVReadError) {
    let isExtensible = bytes.count >= 16 && bytes.integer(at: 0, as: UInt16.self) == 0xFFFE
    let needed = isExtensible ? Self.extensibleByteCount : 16
    guard bytes.count >= needed else {
      throw .formatTooShort(byteCount: bytes.count, needed: needed, offset: offset)
    }
    if isExtensible, !bytes[26...].starts(with: Self.subFormatTail) {
      throw .unsupportedSubFormat(identifier: Self.identifier(bytes), offset: offset + 24)
    }
    let tag = bytes.integer(at: isExtensible ? 24 : 0, as: UInt16.self)
    let channelCount = bytes.integer(at: 2, as: UInt16.self)
    let sampleRate = bytes.integer(at: 4, as: UInt32.self)
    let frameSize = bytes.integer(at: 12, as: UInt16.self)
    let bits = bytes.integer(at: 14, as: UInt16.self)
    let encodings = SampleEncoding.allCases.filter { $0.formatTag == tag }
    if encodings.isEmpty {
      throw .unsupportedEncoding(formatTag: tag, bitsPerSample: bits, offset: offset)
    }
    guard (1...WAVFormat.channelCountLimit).contains(channelCount) else {
      throw .unsupportedChannelCount(channelCount, offset: offset + 2)
    }
    guard sampleRate > 0 else { throw .zeroSampleRate(offset: offset + 4) }
    let sampleSize = (bits + 7) / 8
    let container = frameSize == 0 ? sampleSize : frameSize / channelCount
    func encoding(ofSize byteCount: Int) -> SampleEncoding? {
      encodings.first {
        $0.byteCount == byteCount && ($0.isFloatingPoint ? bits == $0.bitsPerSample : bits > 0)
      }
    }
    let isConsistent = frameSize % channelCount == 0 && container >= sampleSize
    if isConsistent, encoding(ofSize: sampleSize) == nil {
      throw .unsupportedEncoding(formatTag: tag, bitsPerSample: bits, offset: offset)
    }
    guard isConsistent, let encoding = encoding(ofSize: container) else {
      throw .inconsistentFrameSize(
        byteCount: frameSize, expected: channelCount * sampleSize, offset: offset + 12)
    }
    self.init(
      sampleRate: sampleRate, channelCount: channelCount, encoding: encoding,
      channelMask: isExtensible ? UInt32(bytes.integer(at: 20, as: UInt32.self)) : nil)
  }

  /// The sub-format as a GUID string, for error messages.
  private static func identifier(_ bytes: [UInt8]) -> String {
    let order = [3, 2, 1, 0, -1, 5, 4, -1, 7, 6, -1, 8, 9, -1, 10, 11, 12, 13, 14, 15]
    return order.map { $0 < 0 ? "-" : String(format: "%02x", bytes[24 + $0]) }.joined()
  }
}
