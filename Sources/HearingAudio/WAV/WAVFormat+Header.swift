extension WAVFormat {
  private static let sizes64ByteCount = 28

  /// Returns the header of a WAV file with `frameCount` frames. If `frameCount` is nil, all sizes
  /// in the header are 2³² − 1. The size 2³² − 1 means that the length is unknown.
  ///
  /// The order of the chunks is `RIFF · WAVE · JUNK · fmt · fact · data`. If the file grows beyond
  /// 4 GiB, a `ds64` chunk replaces the `JUNK` chunk (EBU Tech 3306). A stream has no `JUNK` chunk,
  /// because a chunk of a stream cannot be replaced.
  ///
  /// - Parameters:
  ///   - frameCount: The number of frames.
  ///   - reservesSizes64: Whether the header has a `JUNK` chunk or a `ds64` chunk. False for a
  ///     stream.
  ///   - riffByteLimit: The maximum size of a RIFF file in bytes. A larger file becomes an RF64
  ///     file.
  func header(frameCount: Int?, reservesSizes64: Bool, riffByteLimit: Int) -> [UInt8] {
    let formatChunks = formatChunks(frameCount: frameCount)
    let headerSize =
      20 + (reservesSizes64 ? 8 + Self.sizes64ByteCount : 0) + formatChunks.count
    let dataSize = frameCount.map { $0 * bytesPerFrame } ?? .max
    let fileSize = frameCount == nil ? Int.max : headerSize + dataSize + dataSize % 2
    let isLarge = frameCount != nil && fileSize > riffByteLimit
    func size32(_ size: Int) -> UInt32 { isLarge ? .max : UInt32(clamping: size) }

    var bytes: [UInt8] = []
    bytes.append(isLarge ? "RF64" : "RIFF", size32(fileSize - 8))
    bytes.append("WAVE")
    if reservesSizes64 {
      bytes.append(isLarge ? "ds64" : "JUNK", UInt32(Self.sizes64ByteCount))
      let sizes = isLarge ? [fileSize - 8, dataSize, frameCount ?? 0] : [0, 0, 0]
      for size in sizes { bytes.appendLittleEndian(UInt64(size)) }
      bytes.appendLittleEndian(UInt32(0))
    }
    bytes += formatChunks
    bytes.append("data", size32(dataSize))
    return bytes
  }

  /// Returns the `fmt` chunk. If samples are floating point, a `fact` chunk follows.
  ///
  /// The `fmt` chunk has the type `WAVE_FORMAT_EXTENSIBLE` in three cases: there are more than two
  /// channels, samples are integers of more than 16 bits, or the channel mask differs from the
  /// usual mask for the number of channels. In all other cases, the `fmt` chunk has a plain type.
  private func formatChunks(frameCount: Int?) -> [UInt8] {
    let tag = encoding.formatTag
    let isPCM = !encoding.isFloatingPoint
    let isExtensible =
      channelCount > 2 || (isPCM && encoding.bitsPerSample > 16)
      || channelMask != Self.usualChannelMasks[channelCount]
    let bits = UInt16(encoding.bitsPerSample)
    var bytes: [UInt8] = []
    bytes.append(
      "fmt ", UInt32(isExtensible ? 40 : isPCM ? 16 : 18), isExtensible ? 0xFFFE : tag,
      UInt16(channelCount), UInt32(sampleRate), UInt32(clamping: sampleRate * bytesPerFrame),
      UInt16(bytesPerFrame), bits)
    if isExtensible {
      bytes.appendLittleEndian(UInt16(22), bits, channelMask, tag)
      bytes.append(contentsOf: Self.subFormatTail)
    } else if !isPCM {
      bytes.appendLittleEndian(UInt16(0))
    }
    if !isPCM { bytes.append("fact", UInt32(4), UInt32(clamping: frameCount ?? .max)) }
    return bytes
  }
}
