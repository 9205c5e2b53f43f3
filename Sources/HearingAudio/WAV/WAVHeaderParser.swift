/// Parses a WAV file from its start to its first sample.
///
/// Sources: "Multimedia Programming Interface and Data Specifications 1.0" (IBM and Microsoft,
/// 1991) for RIFF; EBU Tech 3306 and ITU-R BS.2088 for RF64, BW64 and `ds64`.
struct WAVHeaderParser {
  /// The maximum number of chunks before the samples. A stream may contain an endless sequence of
  /// chunks. In this case, the parser stops with an error at the limit.
  static let chunkLimit = 4096

  private static let chunkHeaderSize = 8
  private static let unknownSize = Int(clamping: 0xFFFF_FFFF as UInt32)
  /// The maximum number of bytes that are read from a `ds64` chunk. A `ds64` chunk has 28 bytes and
  /// a table with entries of 12 bytes. At most 32 entries are read.
  private static let maximumSizes64ByteCount = 28 + 32 * 12
  /// The names of common chunks. If the padding byte before a chunk is missing, the parser
  /// recognizes the chunk by its name.
  private static let commonNames = [
    "fmt ", "data", "ds64", "fact", "JUNK", "LIST", "bext", "id3 ",
  ]

  let input: BufferedBytes
  private(set) var riffSize = 0
  /// The 64-bit chunk sizes in bytes that the `ds64` chunk contains. Each key is the name of a
  /// chunk.
  private(set) var sizes64: [String: Int]?
  private(set) var format: WAVFormat?

  /// Parses the header that starts at the next byte of the input.
  ///
  /// - Returns: The format, the number of bytes before the first sample, and the size of all
  ///   samples in bytes. The size comes from the header. If the program that wrote the file did not
  ///   fill in the size, the size is nil.
  mutating func parse() throws(WAVReadError) -> (WAVFormat, dataOffset: Int, dataByteCount: Int?) {
    try parseFileHeader()
    for _ in 0..<Self.chunkLimit {
      guard try input.fill(atLeast: Self.chunkHeaderSize) >= Self.chunkHeaderSize else {
        throw .missingData(offset: input.offset)
      }
      let header = input.first(Self.chunkHeaderSize)
      let (name, size) = (header.chunkName(at: 0), header.integer(at: 4, as: UInt32.self))
      if name == "data", format == nil { throw .missingFormat(offset: input.offset) }
      input.consume(Self.chunkHeaderSize)
      if name == "data", let format {
        return (format, input.offset, try dataByteCount(stated: size))
      }
      try parseBody(of: name, size: size == Self.unknownSize ? sizes64?[name] ?? size : size)
    }
    throw .tooManyChunks(limit: Self.chunkLimit, offset: input.offset)
  }

  private mutating func parseFileHeader() throws(WAVReadError) {
    func check(_ names: [String], at offset: Int, _ expected: String) throws(WAVReadError) {
      let name = input.first(offset + 4).chunkName(at: offset)
      guard names.contains(name) else {
        let found = name.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
        throw .notWAV(found: found, expected: expected, offset: offset)
      }
    }
    let count = try input.fill(atLeast: 12)
    if count >= 4 { try check(["RIFF", "RF64", "BW64"], at: 0, "'RIFF', 'RF64' or 'BW64'") }
    if count >= 12 { try check(["WAVE"], at: 8, "'WAVE'") }
    riffSize = try read(12, of: "the file header").integer(at: 4, as: UInt32.self)
  }

  private mutating func parseBody(of name: String, size: Int) throws(WAVReadError) {
    let start = input.offset
    switch name {
    case "fmt " where format == nil:
      let bytes = try read(min(size, WAVFormat.extensibleByteCount), of: "the format chunk")
      format = try WAVFormat(formatChunk: bytes, offset: start)
    case "ds64" where sizes64 == nil:
      let bytes = try read(min(size, Self.maximumSizes64ByteCount), of: "the ds64 chunk")
      sizes64 = Self.sizes64(in: bytes)
    default: break
    }
    let left = size - (input.offset - start)
    guard try input.skip(left) == left else { throw .missingData(offset: input.offset) }
    // After a chunk with an odd number of bytes, there should be a padding byte. Some programs do
    // not write this padding byte.
    if size % 2 == 1, try input.fill(atLeast: 5) < 5 || !startsWithCommonName() {
      _ = try input.skip(1)
    }
  }

  private func read(_ count: Int, of what: String) throws(WAVReadError) -> [UInt8] {
    let found = try input.fill(atLeast: count)
    guard found >= count else {
      throw .endsInHeader(offset: input.offset + found, reading: what)
    }
    defer { input.consume(count) }
    return input.first(count)
  }

  /// The chunk sizes in bytes that a `ds64` chunk contains (EBU Tech 3306). If the `ds64` chunk is
  /// too short, or if the program that wrote the file did not fill in the sizes, the result does
  /// not contain the size of the data chunk.
  private static func sizes64(in bytes: [UInt8]) -> [String: Int] {
    var sizes: [String: Int] = [:]
    for offset in stride(from: 28, through: bytes.count - 12, by: 12) {
      let name = bytes.chunkName(at: offset)
      sizes[name] = sizes[name] ?? bytes.integer(at: offset + 4, as: UInt64.self)
    }
    sizes["data"] = nil
    if bytes.count >= 16 {
      let riffSize = bytes.integer(at: 0, as: UInt64.self)
      let dataSize = bytes.integer(at: 8, as: UInt64.self)
      if dataSize < .max, dataSize > 0 || riffSize > 0 { sizes["data"] = dataSize }
    }
    return sizes
  }

  private func startsWithCommonName() -> Bool {
    Self.commonNames.contains(input.first(4).chunkName(at: 0))
  }

  /// The size of the data chunk in bytes. Nil if the program that wrote the file did not fill in
  /// the size. Call this method when the header of the data chunk has been consumed. The argument
  /// `stated` is the size in the header of the data chunk.
  ///
  /// When a program writes a header to a pipe, the sizes are not known yet. Many programs then
  /// write a size of 0, or a size close to 2³². The programs sox and arecord write a size close to
  /// 2³¹. A data size of 0 is valid only if the program has filled in the RIFF size, which is in
  /// the file header.
  private func dataByteCount(stated: Int) throws(WAVReadError) -> Int? {
    if stated == Self.unknownSize, let sizes64 { return sizes64["data"] }
    if stated >= Int(clamping: 0xFFFF_F000 as UInt32) { return nil }
    if stated >= 0x7FFF_F000, stated - 1 <= 0x7FFF_FFFF, (input.byteCount ?? 0) < stated {
      return nil
    }
    guard stated == 0 else { return stated }
    let end = riffSize + Self.chunkHeaderSize
    guard riffSize != Self.unknownSize, end >= input.offset else { return nil }
    // Some programs first write the header of an empty file, and fill in the sizes at the end. If
    // such a program was interrupted, samples follow after this header.
    if end == input.offset, try input.fill(atLeast: 4) >= 4 {
      return startsWithCommonName() ? 0 : nil
    }
    return 0
  }
}
