/// Parses a WAV file from its start to its first sample.
///
/// Sources: "Multimedia Programming Interface and Data Specifications 1.0" (IBM and Microsoft,
/// 1991) for RIFF; EBU Tech 3306 and ITU-R BS.2088 for RF64, BW64 and `ds64`.
struct WAVHeaderParser {
  /// The maximum number of chunks before the samples. With this limit, an endless stream of chunks
  /// causes an error.
  static let chunkLimit = 4096

  private static let chunkHeaderSize = 8
  private static let unknownSize = 0xFFFF_FFFF

  private let input: BufferedBytes
  private var riffSize = 0
  private var sizes64: Sizes64?
  private var formatChunk: FormatChunk?

  init(_ input: BufferedBytes) {
    self.input = input
  }

  /// Parses the header that starts at the current position of the input.
  mutating func parse() throws(WAVReadError) -> WAVHeader {
    try parseFileHeader()
    for _ in 0..<Self.chunkLimit {
      guard try input.fill(atLeast: Self.chunkHeaderSize) >= Self.chunkHeaderSize else {
        throw .missingData(offset: input.offset)
      }
      let header = input.first(Self.chunkHeaderSize)
      let code = FourCharacterCode(header, at: 0)
      let size = header.integer(at: 4, as: UInt32.self)
      if code == "data" {
        guard let formatChunk else { throw .missingFormat(offset: input.offset) }
        input.consume(Self.chunkHeaderSize)
        return WAVHeader(
          format: formatChunk.format, validBitsPerSample: formatChunk.validBitsPerSample,
          dataOffset: input.offset, dataByteCount: try dataByteCount(stated: size))
      }
      input.consume(Self.chunkHeaderSize)
      try parseBody(of: code, size: sizes64?.size(of: code, stated: size) ?? size)
    }
    throw .tooManyChunks(limit: Self.chunkLimit, offset: input.offset)
  }

  private mutating func parseFileHeader() throws(WAVReadError) {
    let size = 12
    let count = try input.fill(atLeast: size)
    let bytes = input.first(count)
    if count >= 4 {
      let code = FourCharacterCode(bytes, at: 0)
      guard ["RIFF", "RF64", "BW64"].contains(code) else {
        throw .notWAV(
          found: code.description, expected: "'RIFF', 'RF64' or 'BW64'", offset: input.offset)
      }
    }
    guard count >= size else {
      throw .endsInHeader(offset: input.offset + count, reading: "the file header")
    }
    let kind = FourCharacterCode(bytes, at: 8)
    guard kind == "WAVE" else {
      throw .notWAV(found: kind.description, expected: "'WAVE'", offset: input.offset + 8)
    }
    riffSize = bytes.integer(at: 4, as: UInt32.self)
    input.consume(size)
  }

  private mutating func parseBody(
    of code: FourCharacterCode, size: Int
  ) throws(WAVReadError) {
    let consumedCount: Int
    switch code {
    case "fmt " where formatChunk == nil:
      consumedCount = min(size, FormatChunk.maximumByteCount)
      try need(consumedCount, of: "the format chunk")
      formatChunk = try FormatChunk(input.first(consumedCount), offset: input.offset)
      input.consume(consumedCount)
    case "ds64" where sizes64 == nil:
      consumedCount = min(size, Sizes64.maximumByteCount)
      try need(consumedCount, of: "the ds64 chunk")
      sizes64 = Sizes64(input.first(consumedCount))
      input.consume(consumedCount)
    default:
      consumedCount = 0
    }
    let skipped = try input.skip(size - consumedCount)
    guard skipped == size - consumedCount else { throw .missingData(offset: input.offset) }
    if size % 2 == 1 { try skipPadding() }
  }

  /// Skips the padding byte after a chunk of odd size, if the writer has written this byte.
  private func skipPadding() throws(WAVReadError) {
    let count = try input.fill(atLeast: 5)
    guard count > 0 else { return }
    if count >= 5, FourCharacterCode.common.contains(FourCharacterCode(input.first(4), at: 0)) {
      return
    }
    input.consume(1)
  }

  /// The size in bytes of the data chunk whose header was just consumed. Nil if the writer did not
  /// fill in the size.
  ///
  /// A program that writes to a pipe cannot fill in the sizes afterwards. Such a program leaves 0
  /// or a value close to 2³². The programs sox and arecord leave a value close to 2³¹ instead. A
  /// size of 0 is valid if it is consistent with the RIFF size.
  private func dataByteCount(stated: Int) throws(WAVReadError) -> Int? {
    if stated == Self.unknownSize, let sizes64 {
      return sizes64.isOpen ? nil : sizes64.dataSize
    }
    if stated >= 0xFFFF_F000 {
      return nil
    }
    if (0x7FFF_F000...0x8000_0000).contains(stated), (input.byteCount ?? 0) < stated {
      return nil
    }
    guard stated == 0 else { return stated }
    let end = riffSize + Self.chunkHeaderSize
    guard riffSize != Self.unknownSize, end >= input.offset else { return nil }
    // If a writer was interrupted, the sizes in the header are those of an empty file, but samples
    // follow.
    if end == input.offset, try input.fill(atLeast: 4) >= 4 {
      return FourCharacterCode.common.contains(FourCharacterCode(input.first(4), at: 0)) ? 0 : nil
    }
    return 0
  }

  private func need(_ count: Int, of what: String) throws(WAVReadError) {
    let found = try input.fill(atLeast: count)
    guard found >= count else {
      throw .endsInHeader(offset: input.offset + found, reading: what)
    }
  }
}

/// The parsed header of a WAV file.
struct WAVHeader: Equatable {
  let format: WAVFormat
  let validBitsPerSample: Int

  /// The position of the first sample, in bytes from the start of the file.
  let dataOffset: Int

  /// The size of all samples in bytes, as given in the header. Nil if the writer did not fill in
  /// the size.
  let dataByteCount: Int?
}
