internal import HearingFitting

/// Reads a WAV file from start to end. The memory use does not depend on the length of the file.
///
///     let reader = try WAVReader(path: "in.wav")
///     let block = AudioBlock(channelCount: reader.format.channelCount, capacity: 512)
///     while try reader.read(into: block) > 0 {
///       processor.process(block.channels, frameCount: block.frameCount)
///     }
///
/// The reader supports PCM of 8, 16, 24 and 32 bits, and floating point of 32 and 64 bits. The
/// format chunk may be plain or `WAVE_FORMAT_EXTENSIBLE`. The container may be RIFF, RF64 or BW64
/// of any length, in a file, a pipe or memory. Chunks that the reader does not need are skipped. If
/// the program that wrote the file did not fill in the sizes, the reader reads samples until the
/// end of the file. A malformed file causes a ``WAVReadError``. The values in the header do not
/// determine how much memory the reader allocates.
///
/// Samples are converted to `Float`. Integers of n bits are divided by 2^(n − 1). Therefore the
/// results are in the range −1…1. Integers of 32 bits and floating point of 64 bits are rounded to
/// the nearest `Float`.
///
/// Use a reader on one thread at a time. Compressed formats and big-endian files (RIFX) cause
/// errors.
public final class WAVReader {
  /// The sample rate, the channels and the encoding of the file.
  public let format: WAVFormat

  /// The number of frames according to the header. Nil if the program that wrote the file did not
  /// fill in the length.
  public let declaredFrameCount: Int?

  /// The index of the next frame to read.
  public private(set) var position = 0

  private let input: BufferedBytes
  private let dataOffset: Int

  /// Opens the file at `path` and reads its header.
  ///
  /// A pipe or a device is read as a stream.
  public convenience init(path: String) throws(WAVReadError) {
    try self.init(source: FileByteSource(path: path))
  }

  /// Reads the header from a file descriptor, such as 0 for standard input.
  ///
  /// - Parameters:
  ///   - fileDescriptor: An open descriptor. The descriptor must stay open while the reader is in
  ///     use. The reader does not close the descriptor.
  ///   - name: The name of the source in error messages.
  public convenience init(fileDescriptor: Int32, name: String) throws(WAVReadError) {
    try self.init(source: FileByteSource(descriptor: fileDescriptor, name: name))
  }

  /// Reads the header of a WAV file in memory.
  public convenience init(bytes: [UInt8]) throws(WAVReadError) {
    try self.init(source: MemoryByteSource(bytes))
  }

  init(source open: @autoclosure () throws(FileFailure) -> any ByteSource) throws(WAVReadError) {
    let source: any ByteSource
    do { source = try open() } catch { throw .file(FileAccessError(error)) }
    input = BufferedBytes(source)
    var parser = WAVHeaderParser(input: input)
    let dataByteCount: Int?
    (format, dataOffset, dataByteCount) = try parser.parse()
    let bytesPerFrame = format.bytesPerFrame
    declaredFrameCount = dataByteCount.map { $0 / bytesPerFrame }
    frameCount = declaredFrameCount
    if let byteCount = source.byteCount {
      let present = max(0, byteCount - dataOffset)
      frameCount = min(present, dataByteCount ?? present) / bytesPerFrame
    }
  }

  /// The number of frames that can be read. Nil for a stream of unknown length.
  ///
  /// For a file, `frameCount` is the number of whole frames that the file contains. Before the end
  /// of a stream, `frameCount` is the number of frames in the header. After the end of a stream,
  /// `frameCount` is the number of frames that were read.
  public private(set) var frameCount: Int?

  /// The expected and the actual number of frames, if the file is shorter than the header says.
  /// `expected` is the number of frames in the header, and `found` is the number of frames in the
  /// file. For a complete file, `shortfall` is nil. Until a stream has ended, `shortfall` is also
  /// nil.
  public var shortfall: (expected: Int, found: Int)? {
    guard let expected = declaredFrameCount, let found = frameCount, found < expected else {
      return nil
    }
    return (expected, found)
  }

  /// Reads the next frames.
  ///
  /// - Parameters:
  ///   - channels: A list with one pointer per channel of the format.
  ///   - frameCount: The maximum number of frames to read.
  /// - Returns: The number of frames read. If fewer than `frameCount` frames are read, the end of
  ///   the samples was reached.
  public func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(WAVReadError) -> Int {
    precondition(frameCount >= 0, "\(frameCount) frames")
    let bytesPerFrame = format.bytesPerFrame
    let limit = min(frameCount, (self.frameCount ?? .max) - position)
    let decoder = SampleDecoder(encoding: format.encoding, channelCount: format.channelCount)
    var done = 0
    while done < limit {
      let present = try input.fill(atLeast: bytesPerFrame) / bytesPerFrame
      if present == 0 {
        self.frameCount = position
        break
      }
      let count = min(present, limit - done)
      // Unsafe: the caller guarantees that each row has `frameCount` frames.
      unsafe input.bytes.withUnsafeBytes {
        unsafe decoder.decode($0, frameCount: count, into: channels, from: done)
      }
      input.consume(count * bytesPerFrame)
      done += count
      position += count
    }
    return done
  }

  /// Whether the samples can be read again. A file can be read again, but a pipe cannot.
  public var isSeekable: Bool { input.byteCount != nil && frameCount != nil }

  /// Moves to the frame with the index `frame`, 0…``frameCount``.
  ///
  /// Throws ``WAVReadError/notSeekable`` if the source is a stream and `frame` is not the index of
  /// the next frame.
  public func seek(toFrame frame: Int) throws(WAVReadError) {
    if frame == position { return }
    guard input.byteCount != nil, let frameCount else { throw .notSeekable }
    precondition((0...frameCount).contains(frame), "frame \(frame) of \(frameCount)")
    try input.move(to: dataOffset + frame * format.bytesPerFrame)
    position = frame
  }
}

extension WAVReader: FrameSource {
  /// The sample rate in Hz, which is the number of frames per second.
  public var sampleRate: Double { Double(format.sampleRate) }

  /// The number of channels.
  public var channelCount: Int { format.channelCount }

  /// The number of frames that have not been read yet. Nil for a stream of unknown length.
  public var remainingFrameCount: Int? { frameCount.map { $0 - position } }
}

extension WAVReader {
  /// Reads all remaining frames. The result has one array per channel.
  ///
  /// The memory that this method needs grows with the length of the file. Read long files in
  /// blocks.
  public func readSamples() throws(WAVReadError) -> [[Float]] {
    let block = AudioBlock(channelCount: format.channelCount, capacity: 4096)
    var samples = [[Float]](repeating: [], count: format.channelCount)
    repeat {
      try read(into: block)
      for (channel, more) in block.samples.enumerated() { samples[channel] += more }
    } while block.frameCount == block.capacity
    return samples
  }

  /// One line of text with the numbers of ``shortfall``. Nil if the file is complete.
  package var shortfallText: String? {
    shortfall.map { Self.shortfallText(expected: $0.expected, found: $0.found) }
  }

  /// One line of text about a file that has fewer frames than the header says.
  package static func shortfallText(expected: Int, found: Int) -> String {
    "the file is cut short: \(found) of \(expected) frames"
  }
}
