internal import HearingFitting

/// Reads a WAV file from front to back, in constant memory.
///
///     let reader = try WAVReader(path: "in.wav")
///     let block = AudioBlock(channelCount: reader.format.channelCount, capacity: 512)
///     while try reader.read(into: block) > 0 {
///       processor.process(block.channels, frameCount: block.frameCount)
///     }
///
/// Reads PCM of 8, 16, 24 and 32 bits, floating point of 32 and 64 bits, plain or
/// `WAVE_FORMAT_EXTENSIBLE`, in RIFF, RF64 and BW64 files of any length, from a file, a pipe or
/// memory. Chunks other than format and sound are passed over. Sizes that a writer left open are
/// found by reading to the end. What the file contains is never trusted: anything wrong is a
/// ``ReadError``, and memory never depends on what a header says.
///
/// Samples become `Float`: integers divided by 2^(bits − 1), so that they lie in −1..<1; those of
/// 32 bits are rounded to the nearest `Float`, as are samples of 64-bit floating point.
///
/// A reader is used by one thread at a time. It is not for compressed formats nor for big-endian
/// files (RIFX); those are errors.
public final class WAVReader {
  /// Why a file cannot be read.
  public typealias ReadError = WAVReadError

  /// What the sound is and how it is stored.
  public let format: WAVFormat

  /// How many bits of a stored sample carry sound: the upper ones, such as 20 of 24.
  public let validBitsPerSample: Int

  /// The length as the header states it, in frames; `nil` if its writer left it open.
  public let declaredFrameCount: Int?

  /// The index of the frame that is read next.
  public private(set) var position = 0

  private let input: BufferedBytes
  private let dataOffset: Int
  /// The frames that can be read; `nil` while only the end of the stream can tell.
  private var knownFrameCount: Int?
  /// Whether `knownFrameCount` was counted, not just read in the header.
  private var isCounted: Bool

  /// Opens the file at `path` and reads its header.
  ///
  /// A path that leads to a pipe or device is read as a stream.
  public convenience init(path: String) throws(ReadError) {
    let source: FileByteSource
    do { source = try FileByteSource(path: path) } catch { throw .file(FileAccessError(error)) }
    try self.init(source: source)
  }

  /// Reads a header from `fileDescriptor`, such as 0 for standard input; `name` is for messages.
  ///
  /// The descriptor must stay open while the reader is in use, and is not closed by it.
  public convenience init(fileDescriptor: Int32, name: String) throws(ReadError) {
    let source: FileByteSource
    do {
      source = try FileByteSource(descriptor: fileDescriptor, name: name)
    } catch {
      throw .file(FileAccessError(error))
    }
    try self.init(source: source)
  }

  /// Reads a header from a WAV file in memory.
  public convenience init(bytes: [UInt8]) throws(ReadError) {
    try self.init(source: MemoryByteSource(bytes))
  }

  init(source: any ByteSource) throws(ReadError) {
    input = BufferedBytes(source)
    let header = try WAVHeaderParser.parse(input)
    format = header.format
    validBitsPerSample = header.validBitsPerSample
    dataOffset = header.dataOffset
    let bytesPerFrame = header.format.bytesPerFrame
    declaredFrameCount = header.dataByteCount.map { $0 / bytesPerFrame }
    if let byteCount = source.byteCount {
      let present = max(0, byteCount - header.dataOffset)
      knownFrameCount = min(present, header.dataByteCount ?? present) / bytesPerFrame
      isCounted = true
    } else {
      knownFrameCount = declaredFrameCount
      isCounted = false
    }
  }

  /// The number of frames that can be read; `nil` while reading a stream of unstated length.
  ///
  /// For a file it is what is really there, for a stream what its header says until the end is
  /// reached. A last frame that is not whole does not count.
  public var frameCount: Int? { knownFrameCount }

  /// How far the sound falls short of what the header says; `nil` where it does not, or where a
  /// stream has not come to its end yet.
  public var shortfall: Shortfall? {
    guard isCounted, let expected = declaredFrameCount, let found = knownFrameCount,
      found < expected
    else { return nil }
    return Shortfall(expectedFrameCount: expected, foundFrameCount: found)
  }

  /// Whether the file ends before its header says it does; see ``shortfall``.
  public var isTruncated: Bool { shortfall != nil }

  /// Writes the next frames, up to `frameCount`, to as many channels as the format has.
  ///
  /// - Returns: The number of frames written; less than `frameCount` only at the end.
  public func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(ReadError) -> Int {
    precondition(frameCount >= 0, "\(frameCount) frames")
    let bytesPerFrame = format.bytesPerFrame
    let wanted = min(frameCount, (knownFrameCount ?? .max) - position)
    var done = 0
    while done < wanted {
      let present = try fill(atLeast: bytesPerFrame) / bytesPerFrame
      if present == 0 {
        knownFrameCount = position
        isCounted = true
        break
      }
      let count = min(present, wanted - done)
      SampleDecoder(encoding: format.encoding, channelCount: format.channelCount)
        .decode(input.bytes, frameCount: count, into: channels, from: done)
      input.consume(count * bytesPerFrame)
      done += count
      position += count
    }
    return done
  }

  /// Whether the sound can be read more than once: a file can, a pipe cannot.
  public var isSeekable: Bool { input.byteCount != nil && knownFrameCount != nil }

  /// Goes to the frame with index `frame`, 0…the number of frames.
  ///
  /// A stream can only stay where it is; it throws ``WAVReadError/notSeekable``.
  public func seek(toFrame frame: Int) throws(ReadError) {
    if frame == position { return }
    guard input.byteCount != nil, let knownFrameCount else { throw .notSeekable }
    precondition((0...knownFrameCount).contains(frame), "frame \(frame) of \(knownFrameCount)")
    do {
      try input.move(to: dataOffset + frame * format.bytesPerFrame)
    } catch {
      throw .file(error)
    }
    position = frame
  }

  private func fill(atLeast count: Int) throws(ReadError) -> Int {
    do { return try input.fill(atLeast: count) } catch { throw .file(error) }
  }
}

extension WAVReader: FrameSource {
  /// Frames a second.
  public var sampleRate: Double { Double(format.sampleRate) }

  /// The number of channels.
  public var channelCount: Int { format.channelCount }

  /// How many frames are still to come; `nil` while reading a stream of unstated length.
  public var remainingFrameCount: Int? { knownFrameCount.map { $0 - position } }
}
