/// Writes a WAV file from front to back, in constant memory; it appears only when it is complete.
///
///     let format = WAVFormat(sampleRate: 48_000, channelCount: 2, encoding: .int16)
///     let writer = try WAVWriter(path: "out.wav", format: format)
///     try writer.write(block)
///     try writer.finish()
///
/// Until ``finish()`` the sound is in a temporary file in the same folder, and a file that had the
/// name before is untouched. A writer that is abandoned, or released without having finished,
/// removes its temporary file. Beyond 4 GiB the file becomes RF64.
///
/// A path that leads to a pipe or a device, and any file descriptor, is written to as a stream:
/// its sizes say 2³² − 1, which readers take for "until the end", and nothing can be taken back.
/// Writing to a pipe that nobody reads raises the signal SIGPIPE unless the program ignores it;
/// then it is an error.
///
/// `Float` becomes integers by multiplication with 2^(bits − 1), rounding to the nearest (ties to
/// even) and clipping; clipped samples are counted. NaN is written as 0 to integers, as it is to
/// floating point, and counted. There is no dither. What was read by ``WAVReader`` from 8, 16 or
/// 24 bits or 32-bit floating point is written with the same bits.
///
/// A writer is used by one thread at a time.
public final class WAVWriter {
  /// What the sound is and how it is stored.
  public let format: WAVFormat

  /// The factor that every sample is multiplied with.
  public let gain: Float

  /// The number of frames written so far.
  public private(set) var frameCount = 0

  private static let stagingByteCount = 65_536

  private let sink: any ByteSink
  private let layout: WAVHeaderLayout
  private let staging: UnsafeMutableRawBufferPointer
  private var stagedByteCount = 0
  private var encoder: SampleEncoder
  private var state = State.open

  private enum State {
    case open
    case finished
    case abandoned
    case failed(WriteError)
  }

  /// Starts the file at `path`.
  ///
  /// - Parameters:
  ///   - path: Where the file appears when it is finished. A file that is there is replaced.
  ///   - format: What the sound is and how to store it.
  ///   - gain: A finite factor for every sample; see ``OutputScaling``. Default 1: unchanged.
  public convenience init(
    path: String, format: WAVFormat, gain: Float = 1
  ) throws(WriteError) {
    let sink: any ByteSink
    do { sink = try openByteSink(path: path) } catch { throw .file(error) }
    self.init(sink: sink, format: format, gain: gain)
  }

  /// Writes to `fileDescriptor`, such as 1 for standard output, as a stream.
  ///
  /// The descriptor must stay open while the writer is in use, and is not closed by it; `name` is
  /// for messages.
  public convenience init(
    fileDescriptor: Int32, name: String, format: WAVFormat, gain: Float = 1
  ) {
    let sink = StreamByteSink(descriptor: fileDescriptor, path: name, closesDescriptor: false)
    self.init(sink: sink, format: format, gain: gain)
  }

  init(
    sink: any ByteSink, format: WAVFormat, gain: Float = 1, riffByteLimit: Int = 0xFFFF_FFFE
  ) {
    precondition(gain.isFinite, "gain \(gain)")
    self.sink = sink
    self.format = format
    self.gain = gain
    layout = WAVHeaderLayout(
      format: format, reservesSizes64: sink.canOverwrite, riffByteLimit: riffByteLimit)
    encoder = SampleEncoder(
      encoding: format.encoding, channelCount: format.channelCount, gain: gain)
    staging = .allocate(byteCount: Self.stagingByteCount, alignment: 16)
    stage(layout.openHeader)
  }

  deinit {
    // A file that is not finished goes with its sink.
    staging.deallocate()
  }

  /// How many samples lay outside what integers can hold and were clipped.
  public var clippedSampleCount: Int { encoder.clippedSampleCount }

  /// How many samples were no number.
  public var nanSampleCount: Int { encoder.nanSampleCount }

  /// Appends `frameCount` frames of as many channels as the format has.
  ///
  /// After an error nothing can be written any more: every later call throws the same error.
  public func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(WriteError) {
    precondition(frameCount >= 0, "\(frameCount) frames")
    try checkOpen()
    let bytesPerFrame = format.bytesPerFrame
    var done = 0
    while done < frameCount {
      if staging.count - stagedByteCount < bytesPerFrame { try flush() }
      let count = min(frameCount - done, (staging.count - stagedByteCount) / bytesPerFrame)
      encoder.encode(
        channels, from: done, frameCount: count,
        into: UnsafeMutableRawBufferPointer(rebasing: staging[stagedByteCount...]))
      stagedByteCount += count * bytesPerFrame
      done += count
      self.frameCount += count
    }
  }

  /// Completes the file and puts it into its place. Calling it again does nothing.
  public func finish() throws(WriteError) {
    if case .finished = state { return }
    try checkOpen()
    if sink.canOverwrite {
      if frameCount * format.bytesPerFrame % 2 == 1 { try stagePadding() }
      try flush()
      try completeHeader()
    } else {
      try flush()
    }
    try perform { () throws(FileAccessError) in try sink.commit() }
    state = .finished
  }

  /// Gives the file up: removes what was written, leaves what had the name before.
  ///
  /// Does nothing once the file is finished.
  public func abandon() {
    guard case .open = state else { return }
    state = .abandoned
    sink.abandon()
  }

  private func completeHeader() throws(WriteError) {
    let header = layout.finalHeader(frameCount: frameCount)
    staging.copyBytes(from: header)
    let bytes = UnsafeRawBufferPointer(rebasing: staging[..<header.count])
    try perform { () throws(FileAccessError) in try sink.overwrite(at: 0, with: bytes) }
  }

  private func stagePadding() throws(WriteError) {
    if stagedByteCount == staging.count { try flush() }
    stage([0])
  }

  private func stage(_ bytes: [UInt8]) {
    UnsafeMutableRawBufferPointer(rebasing: staging[stagedByteCount...]).copyBytes(from: bytes)
    stagedByteCount += bytes.count
  }

  private func flush() throws(WriteError) {
    let staged = UnsafeRawBufferPointer(rebasing: staging[..<stagedByteCount])
    stagedByteCount = 0
    try perform { () throws(FileAccessError) in try sink.write(staged) }
  }

  private func checkOpen() throws(WriteError) {
    switch state {
    case .open: return
    case .failed(let error): throw error
    case .finished: preconditionFailure("the file is finished")
    case .abandoned: preconditionFailure("the file was abandoned")
    }
  }

  /// Does `action`; if that fails, gives the file up for good.
  private func perform(_ action: () throws(FileAccessError) -> Void) throws(WriteError) {
    do {
      try action()
    } catch {
      sink.abandon()
      state = .failed(.file(error))
      throw .file(error)
    }
  }
}

extension WAVWriter: FrameSink {
  /// The number of channels.
  public var channelCount: Int { format.channelCount }
}
