/// The header of a WAV file that is being written.
///
/// The order of the chunks is `RIFF · WAVE · JUNK · fmt · fact · data`. `JUNK` reserves the space
/// that `ds64` needs if the file grows beyond 4 GiB (EBU Tech 3306). A stream has no `JUNK` chunk,
/// because bytes that were written to a stream cannot be changed. The `fact` chunk is required for
/// every encoding except integers. The format chunk is extensible for integers of more than 16
/// bits, and also for more than two channels. Otherwise, the format chunk is plain.
struct WAVHeaderLayout {
  private static let unknownSize = UInt32.max
  private static let sizes64ByteCount = 28
  private static let pcm: UInt16 = 1

  let format: WAVFormat
  /// Whether space for 64-bit sizes is reserved.
  let reservesSizes64: Bool
  /// If a file is larger than this many bytes, it becomes an RF64 file.
  let riffByteLimit: Int

  /// The header that is written while the length is unknown. All sizes are 2³² − 1, as in an
  /// endless stream.
  var openHeader: [UInt8] {
    header(
      file: "RIFF", riffSize: Self.unknownSize, sizes64: nil, frameCount: Self.unknownSize,
      dataSize: Self.unknownSize)
  }

  /// The header of a complete file of `frameCount` frames.
  func finalHeader(frameCount: Int) -> [UInt8] {
    let dataSize = frameCount * format.bytesPerFrame
    let fileSize = openHeader.count + dataSize + dataSize % 2
    let frames = UInt32(clamping: frameCount)
    guard fileSize > riffByteLimit else {
      return header(
        file: "RIFF", riffSize: UInt32(clamping: fileSize - 8), sizes64: nil, frameCount: frames,
        dataSize: UInt32(clamping: dataSize))
    }
    var sizes64: [UInt8] = []
    sizes64.appendLittleEndian(
      UInt64(fileSize - 8), UInt64(dataSize), UInt64(frameCount), UInt32(0))
    return header(
      file: "RF64", riffSize: Self.unknownSize, sizes64: sizes64, frameCount: frames,
      dataSize: Self.unknownSize)
  }

  private func header(
    file: FourCharacterCode, riffSize: UInt32, sizes64: [UInt8]?, frameCount: UInt32,
    dataSize: UInt32
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(file)
    bytes.appendLittleEndian(riffSize)
    bytes.append("WAVE")
    if reservesSizes64 {
      bytes.append(sizes64 == nil ? "JUNK" : "ds64")
      bytes.appendLittleEndian(UInt32(Self.sizes64ByteCount))
      bytes.append(contentsOf: sizes64 ?? Array(repeating: 0, count: Self.sizes64ByteCount))
    }
    appendFormat(to: &bytes)
    if format.encoding.formatTag != Self.pcm {
      bytes.append("fact")
      bytes.appendLittleEndian(UInt32(4), frameCount)
    }
    bytes.append("data")
    bytes.appendLittleEndian(dataSize)
    return bytes
  }

  private func appendFormat(to bytes: inout [UInt8]) {
    let encoding = format.encoding
    let tag = encoding.formatTag
    let isPCM = tag == Self.pcm
    let isExtensible = format.channelCount > 2 || (isPCM && encoding.bitsPerSample > 16)
    let byteRate = format.sampleRate * format.bytesPerFrame
    bytes.append("fmt ")
    let bits = UInt16(encoding.bitsPerSample)
    bytes.appendLittleEndian(
      UInt32(isExtensible ? 40 : isPCM ? 16 : 18), isExtensible ? 0xFFFE : tag,
      UInt16(format.channelCount), UInt32(format.sampleRate), UInt32(clamping: byteRate),
      UInt16(format.bytesPerFrame), bits)
    if isExtensible {
      bytes.appendLittleEndian(UInt16(22), bits, format.channelMask, tag)
      bytes.append(contentsOf: SubFormat.tail)
    } else if !isPCM {
      bytes.appendLittleEndian(UInt16(0))
    }
  }
}
