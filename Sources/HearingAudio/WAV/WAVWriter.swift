/// Writes a WAV file from start to end. The memory use does not depend on the length of the file.
/// The file appears at its path only when the file is complete.
///
///     let format = WAVFormat(sampleRate: 48_000, channelCount: 2, encoding: .int16)
///     let writer = try WAVWriter(path: "out.wav", format: format)
///     try writer.write(block)
///     try writer.finish()
///
/// Until ``finish()`` is called, the samples are in a temporary file in the same folder. An
/// existing file at the path stays unchanged until ``finish()`` is called. If the app calls
/// ``abandon()``, or releases the writer without a call of ``finish()``, the temporary file is
/// removed. A file of more than 4 GiB becomes RF64.
///
/// Pipes, devices and file descriptors are written as streams. In a stream, written bytes cannot be
/// changed. In the header of a stream, all sizes are 2³² − 1. Readers interpret the size 2³² − 1 as
/// "until the end". If no process reads from a pipe, the system sends the signal SIGPIPE to a
/// program that writes to the pipe. If the program ignores SIGPIPE, the writer throws an error.
///
/// For an integer encoding of n bits, samples are multiplied by 2^(n − 1) and rounded to the
/// nearest integer (ties to even). Integers outside the range of the encoding are clipped, and
/// clipped samples are counted. NaN becomes 0 in integers and stays NaN in floating point. No
/// dither is added. If an app reads a file with ``WAVReader`` and writes the samples with the same
/// encoding and a ``gain`` of 1, the written samples are bit-identical to the samples in the file.
/// There are two exceptions: for integers of 32 bits and floating point of 64 bits, ``WAVReader``
/// rounds samples to `Float`.
///
/// Use a writer on one thread at a time.
public final class WAVWriter {
  /// The sample rate, the channels and the encoding.
  public let format: WAVFormat

  /// The factor by which every sample is multiplied.
  public let gain: Float

  /// The number of frames written so far.
  public private(set) var frameCount = 0

  /// The maximum number of bytes in `staged`. Before `staged` would exceed this number of bytes,
  /// all bytes of `staged` are written to the sink.
  private static let stagingByteCount = 65_536

  private let sink: any ByteSink
  private let riffByteLimit: Int
  /// The bytes that have not been written to the sink yet.
  private var staged: [UInt8] = []
  private var encoder: SampleEncoder
  private var state = State.open

  private enum State {
    case open, finished, abandoned
    case failed(FileAccessError)
  }

  /// Starts to write the file at `path`.
  ///
  /// - Parameters:
  ///   - path: The path at which the finished file appears. An existing file is replaced.
  ///   - format: The sample rate, the channels and the encoding.
  ///   - gain: A finite factor by which every sample is multiplied; see ``OutputScaling``. The
  ///     default of 1 does not change the samples.
  public convenience init(
    path: String, format: WAVFormat, gain: Float = 1
  ) throws(FileAccessError) {
    self.init(sink: try FileByteSink(path: path), format: format, gain: gain)
  }

  /// Writes a stream to a file descriptor. For example, the descriptor of standard output is 1.
  ///
  /// - Parameters:
  ///   - fileDescriptor: An open descriptor. The descriptor must stay open while the writer is in
  ///     use. The writer does not close the descriptor.
  ///   - name: The name of the stream in error messages.
  ///   - format: The sample rate, the channels and the encoding.
  ///   - gain: A finite factor by which every sample is multiplied. The default is 1.
  public convenience init(
    fileDescriptor: Int32, name: String, format: WAVFormat, gain: Float = 1
  ) {
    let sink = FileByteSink(descriptor: fileDescriptor, path: name, closesDescriptor: false)
    self.init(sink: sink, format: format, gain: gain)
  }

  init(
    sink: any ByteSink, format: WAVFormat, gain: Float = 1,
    riffByteLimit: Int = Int(clamping: 0xFFFF_FFFE as UInt32)
  ) {
    precondition(gain.isFinite, "gain \(gain)")
    self.sink = sink
    self.format = format
    self.gain = gain
    self.riffByteLimit = riffByteLimit
    encoder = SampleEncoder(
      encoding: format.encoding, channelCount: format.channelCount, gain: gain)
    stageHeader(frameCount: nil)
  }

  /// The number of samples that were clipped.
  public var clippedSampleCount: Int { encoder.clippedSampleCount }

  /// Appends `frameCount` frames of ``channelCount`` channels.
  ///
  /// After an error, every later call of `write` or ``finish()`` throws the same error.
  public func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(FileAccessError) {
    precondition(frameCount >= 0, "\(frameCount) frames")
    try checkOpen()
    let bytesPerFrame = format.bytesPerFrame
    var done = 0
    while done < frameCount {
      if Self.stagingByteCount - staged.count < bytesPerFrame { try flush() }
      let start = staged.count
      let count = min(frameCount - done, (Self.stagingByteCount - start) / bytesPerFrame)
      staged.append(contentsOf: repeatElement(0, count: count * bytesPerFrame))
      // Unsafe: the caller guarantees that each row has `frameCount` frames.
      unsafe staged[start...].withUnsafeMutableBytes {
        unsafe encoder.encode(channels, from: done, frameCount: count, into: $0)
      }
      done += count
      self.frameCount += count
    }
  }

  /// Completes the file. After this call, the file is at its path. A second call does nothing.
  public func finish() throws(FileAccessError) {
    if case .finished = state { return }
    try checkOpen()
    if sink.canOverwrite, frameCount * format.bytesPerFrame % 2 == 1 {
      staged.append(0)
    }
    try flush()
    if sink.canOverwrite {
      stageHeader(frameCount: frameCount)
      try flush(at: 0)
    }
    try perform(sink.commit)
    state = .finished
  }

  /// Removes the temporary file. An existing file at the path stays unchanged.
  ///
  /// If the app has already called ``finish()``, `abandon` does nothing.
  public func abandon() {
    guard case .open = state else { return }
    state = .abandoned
    sink.abandon()
  }

  private func stageHeader(frameCount: Int?) {
    staged = format.header(
      frameCount: frameCount, reservesSizes64: sink.canOverwrite, riffByteLimit: riffByteLimit)
  }

  /// Writes the buffered bytes to the sink. If `offset` is nil, appends the bytes. If `offset` is a
  /// number, overwrites earlier bytes from this offset on.
  private func flush(at offset: Int? = nil) throws(FileAccessError) {
    defer { staged.removeAll(keepingCapacity: true) }
    try perform { () throws(FileAccessError) in try sink.write(staged, at: offset) }
  }

  private func checkOpen() throws(FileAccessError) {
    switch state {
    case .open: return
    case .failed(let error): throw error
    case .finished: preconditionFailure("the file is finished")
    case .abandoned: preconditionFailure("the file was abandoned")
    }
  }

  /// Performs `action`. If `action` fails, discards the file. After the failure, every later call
  /// of `write` or `finish` throws the same error.
  private func perform(_ action: () throws(FileAccessError) -> Void) throws(FileAccessError) {
    do {
      try action()
    } catch {
      sink.abandon()
      state = .failed(error)
      throw error
    }
  }
}

extension WAVWriter: FrameSink {
  /// The number of channels.
  public var channelCount: Int { format.channelCount }
}

extension WAVWriter {
  /// Creates a whole WAV file in memory.
  ///
  /// - Parameters:
  ///   - samples: One array per channel of `format`, all of the same length.
  ///   - format: The sample rate, the channels and the encoding.
  ///   - gain: A finite factor by which every sample is multiplied. The default is 1.
  public static func bytes(
    of samples: [[Float]], format: WAVFormat, gain: Float = 1
  ) throws(FileAccessError) -> [UInt8] {
    precondition(
      samples.count == format.channelCount, "\(samples.count) of \(format.channelCount) channels")
    let sink = MemoryByteSink()
    let writer = WAVWriter(sink: sink, format: format, gain: gain)
    try writer.write(samples)
    try writer.finish()
    return sink.bytes
  }
}
