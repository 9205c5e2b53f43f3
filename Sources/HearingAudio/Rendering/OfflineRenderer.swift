/// Renders sound of any length from a source to a sink, block by block, in constant memory.
///
///     let reader = try WAVReader(path: "in.wav")
///     let format = WAVFormat(sampleRate: reader.format.sampleRate, channelCount: 2,
///       encoding: .float32)
///     let writer = try WAVWriter(path: "out.wav", format: format)
///     try OfflineRenderer(blockSize: 512).render(
///       from: reader, to: writer, channelMap: .bothEars(of: reader.channelCount)
///     ) { channels, frameCount in
///       processor.process(channels, frameCount: frameCount)
///     }
///
/// The output appears complete or not at all: on any error and on cancellation the sink is
/// abandoned. Every block but the last has exactly ``blockSize`` frames; a processor whose result
/// does not depend on block size gives the same output for any of them. Memory stays below 32 MiB
/// for any length, block size and number of channels.
///
/// Rendering runs on the calling thread. It is not for real time: files are read and written
/// between blocks.
public struct OfflineRenderer: Sendable {
  /// The frames of each block but the last, 1…65536.
  ///
  /// With more than 32 channels, blocks are never longer than 2²¹ / channels frames.
  public let blockSize: Int

  /// Progress is reported at most so many times a second.
  private static let reportsPerSecond = 20.0
  /// The frames, at least, that are read and written at a time.
  private static let leastTransferFrames = 4096
  /// The samples, at most, that a buffer holds: 8 MiB.
  private static let bufferSampleLimit = 1 << 21

  private let clock: @Sendable () -> Double

  /// Makes a renderer.
  ///
  /// - Parameters:
  ///   - blockSize: Frames a block, 1…65536, default 512.
  ///   - clock: Seconds since some moment in the past, never going back; for tests. The default
  ///     is the machine's monotonic clock.
  public init(
    blockSize: Int = 512, clock: @escaping @Sendable () -> Double = OfflineRenderer.monotonicClock
  ) {
    precondition((1...65_536).contains(blockSize), "blocks of \(blockSize) frames")
    self.blockSize = blockSize
    self.clock = clock
  }

  /// Seconds by the machine's monotonic clock.
  public static let monotonicClock: @Sendable () -> Double = {
    let start = ContinuousClock.now
    return { start.duration(to: .now) / .seconds(1) }
  }()

  /// Renders all that is left of `source` to `sink` and finishes it.
  ///
  /// - Parameters:
  ///   - source: Where the sound comes from.
  ///   - sink: Where it goes; as many channels as the map has outputs.
  ///   - channelMap: Which input each output hears; default: every channel itself.
  ///   - progress: Called on this thread, at most 20 times a second, and once at the end after
  ///     the sink has finished. Not called at the end of a rendering that fails.
  ///   - isCancelled: Asked before every transfer of some thousand frames; a cancelled task counts
  ///     as well.
  ///   - process: Changes a block in place: one pointer for each output channel, and the number
  ///     of frames.
  /// - Returns: The last progress.
  /// - Throws: ``RenderError``, or what the source, the sink or `process` throws, as it is.
  @discardableResult
  public func render<Source: FrameSource, Sink: FrameSink>(
    from source: Source,
    to sink: Sink,
    channelMap: ChannelMap? = nil,
    progress: ((RenderProgress) -> Void)? = nil,
    isCancelled: () -> Bool = { false },
    process: (UnsafePointer<UnsafeMutablePointer<Float>>, Int) throws -> Void
  ) throws -> RenderProgress {
    do {
      let map = channelMap ?? .identity(source.channelCount)
      return try render(from: source, to: sink, map, progress, isCancelled, process)
    } catch {
      sink.abandon()
      throw error
    }
  }

  private func render<Source: FrameSource, Sink: FrameSink>(
    from source: Source, to sink: Sink, _ map: ChannelMap,
    _ progress: ((RenderProgress) -> Void)?, _ isCancelled: () -> Bool,
    _ process: (UnsafePointer<UnsafeMutablePointer<Float>>, Int) throws -> Void
  ) throws -> RenderProgress {
    try check(map, source: source, sink: sink)
    let outputCount = map.inputs.count
    let channelCount = max(source.channelCount, outputCount)
    let blockSize = min(blockSize, max(1, Self.bufferSampleLimit / channelCount))
    let transferSize = blockSize * max(1, Self.leastTransferFrames / blockSize)
    let input = AudioBlock(channelCount: source.channelCount, capacity: transferSize)
    let output = AudioBlock(channelCount: outputCount, capacity: transferSize)
    let total = source.remainingFrameCount
    let start = clock()
    var lastReport = start
    var done = 0

    func report(isFinished: Bool) -> RenderProgress {
      RenderProgress(
        frameCount: done, totalFrameCount: isFinished ? done : total,
        sampleRate: source.sampleRate, elapsedSeconds: clock() - start, isFinished: isFinished)
    }

    let blocks = BlockSplitter(blockSize: blockSize, channelCount: outputCount)
    repeat {
      if isCancelled() || Task.isCancelled { throw RenderError.cancelled(frameCount: done) }
      try source.read(into: input)
      output.frameCount = input.frameCount
      for (channel, index) in map.inputs.enumerated() {
        output.channels[channel].update(from: input.channels[index], count: input.frameCount)
      }
      try blocks.forEachBlock(of: output, process)
      try sink.write(output)
      done += input.frameCount
      if let progress {
        let now = clock()
        if now - lastReport >= 1 / Self.reportsPerSecond {
          lastReport = now
          progress(report(isFinished: false))
        }
      }
    } while input.frameCount == transferSize
    try sink.finish()
    let last = report(isFinished: true)
    progress?(last)
    return last
  }

  private func check(
    _ map: ChannelMap, source: some FrameSource, sink: some FrameSink
  ) throws(RenderError) {
    if let missing = map.inputs.first(where: { $0 >= source.channelCount }) {
      throw .missingInput(channel: missing, channelCount: source.channelCount)
    }
    guard map.inputs.count == sink.channelCount else {
      throw .channelCountMismatch(rendered: map.inputs.count, sink: sink.channelCount)
    }
  }
}
