/// Renders audio of any length in blocks, from a source to a sink.
///
///     let reader = try WAVReader(path: "in.wav")
///     let format = WAVFormat(sampleRate: reader.format.sampleRate, channelCount: 2,
///       encoding: .float32)
///     let writer = try WAVWriter(path: "out.wav", format: format)
///     try OfflineRenderer(blockSize: 512).render(
///       from: reader, to: writer, channelMap: reader.channelCount == 1 ? [0, 0] : [0, 1]
///     ) { channels, frameCount in
///       processor.process(channels, frameCount: frameCount)
///     }
///
/// After an error or a cancellation, the output is discarded. Therefore the output is either
/// complete or absent. Every block has exactly ``blockSize`` frames. Only the last block may be
/// shorter. The memory use stays below 32 MiB for any length, block size and number of channels.
///
/// Rendering runs on the thread that calls `render`. Between blocks, the source and the sink may
/// read and write files. Therefore do not use an `OfflineRenderer` in real time.
public struct OfflineRenderer: Sendable {
  /// The number of frames per block, 1…65536. The last block may be shorter.
  ///
  /// If there are more than 32 channels, a block has at most 2²¹ / (number of channels) frames.
  public let blockSize: Int

  /// The maximum number of progress reports per second.
  private static let reportsPerSecond = 20.0
  /// The maximum number of frames in a group of short blocks. The renderer reads and writes short
  /// blocks in groups.
  private static let groupFrames = 4096
  /// The maximum number of samples in a buffer. A buffer with this number of samples has 8 MiB.
  private static let bufferSampleLimit = 1 << 21

  /// The limiter's look-ahead in seconds for offline rendering. A look-ahead causes latency. In
  /// offline rendering, the latency has no effect on the output, because the renderer can remove
  /// the latency.
  public static let lookAhead = 0.002

  private let clock: @Sendable () -> Double

  /// Creates a renderer.
  ///
  /// - Parameters:
  ///   - blockSize: The number of frames per block, 1…65536. The default is 512.
  ///   - clock: Returns a time in seconds that never decreases. If `clock` is nil, the renderer
  ///     uses a `ContinuousClock`.
  public init(blockSize: Int = 512, clock: (@Sendable () -> Double)? = nil) {
    precondition((1...65_536).contains(blockSize), "blocks of \(blockSize) frames")
    self.blockSize = blockSize
    let start = ContinuousClock.now
    self.clock = clock ?? { start.duration(to: .now) / .seconds(1) }
  }

  /// Renders the remaining frames of `source` and finishes `sink`.
  ///
  /// - Parameters:
  ///   - source: The source of the frames.
  ///   - sink: Receives the output. The number of channels of the sink must be the number of output
  ///     channels.
  ///   - channelMap: For each output channel, the index of the input channel that is copied to the
  ///     output channel. There must be at least one output channel. By default, the output channels
  ///     are all input channels, in the same order.
  ///   - latency: The latency of `process` in frames, 0 by default. The renderer appends `latency`
  ///     silent frames to the source. The renderer also removes the first `latency` frames of the
  ///     output. The frame counts in progress reports include the silent frames.
  ///   - progress: A closure that receives progress reports. The closure is called on the thread
  ///     that calls `render`, at most 20 times a second, and once after the sink has finished.
  ///   - isCancelled: A closure that is called every few thousand frames. If the closure returns
  ///     true, or if the current task is cancelled, the rendering stops.
  ///   - process: Processes a block in place. The first argument is one pointer per output channel.
  ///     The second argument is the number of frames.
  /// - Returns: The last progress report.
  /// - Throws: ``RenderingError``, or the error of the source, the sink or `process`.
  @discardableResult
  public func render(
    from source: some FrameSource, to sink: some FrameSink, channelMap: [Int]? = nil,
    latency: Int = 0, progress: ((RenderProgress) -> Void)? = nil,
    isCancelled: () -> Bool = { false },
    process: (UnsafePointer<UnsafeMutablePointer<Float>>, Int) throws -> Void
  ) throws -> RenderProgress {
    precondition((0...Int(Int32.max)).contains(latency), "a latency of \(latency) frames")
    do {
      let map = channelMap ?? Array(0..<source.channelCount)
      if let missing = map.first(where: { !(0..<source.channelCount).contains($0) }) {
        throw RenderingError.missingInput(channel: missing, channelCount: source.channelCount)
      }
      guard map.count == sink.channelCount else {
        throw RenderingError.channelCountMismatch(rendered: map.count, sink: sink.channelCount)
      }
      let channelCount = max(source.channelCount, map.count)
      let blockSize = min(blockSize, max(1, Self.bufferSampleLimit / channelCount))
      let transferSize = blockSize * max(1, Self.groupFrames / blockSize)
      let input = AudioBlock(channelCount: source.channelCount, capacity: transferSize)
      let output = AudioBlock(channelCount: map.count, capacity: transferSize)
      let total = source.remainingFrameCount.map { $0 + latency }
      var (missingSilence, leadLength) = (latency, latency)
      let start = clock()
      var lastReport = start
      var done = 0

      func report(isFinished: Bool) -> RenderProgress {
        RenderProgress(
          frameCount: done, totalFrameCount: isFinished ? done : total,
          sampleRate: source.sampleRate, elapsedSeconds: clock() - start, isFinished: isFinished)
      }

      let table = ChannelTable(channelCount: map.count)
      repeat {
        if isCancelled() || Task.isCancelled {
          throw RenderingError.cancelled(frameCount: done)
        }
        try source.read(into: input)
        // A processor with latency delivers the end of the signal late. Therefore silence is
        // appended to the signal.
        let silent = min(missingSilence, transferSize - input.frameCount)
        input.frameCount += silent
        input.rows.silence(from: input.frameCount - silent, count: silent)
        missingSilence -= silent
        output.frameCount = input.frameCount
        for (channel, index) in map.enumerated() {
          output.rows[channel].copy(input.rows[index], count: input.frameCount)
        }
        for start in stride(from: 0, to: output.frameCount, by: blockSize) {
          let count = min(blockSize, output.frameCount - start)
          let block = table.part(of: output.rows, from: start, count: count)
          // Unsafe: `output` is alive during the call.
          try unsafe process(block.pointers, count)
        }
        let skipped = min(leadLength, output.frameCount)
        leadLength -= skipped
        let rest = table.part(of: output.rows, from: skipped, count: output.frameCount - skipped)
        // Unsafe: `output` is alive during the call.
        try unsafe sink.write(rest.pointers, frameCount: rest.frameCount)
        done += input.frameCount
        if let progress, clock() - lastReport >= 1 / Self.reportsPerSecond {
          lastReport = clock()
          progress(report(isFinished: false))
        }
      } while input.frameCount == transferSize
      try sink.finish()
      let last = report(isFinished: true)
      progress?(last)
      return last
    } catch {
      sink.abandon()
      throw error
    }
  }
}
