internal import HearingAudio
internal import HearingDSP
internal import HearingFitting

/// One rendering of a mix stem (the complete music of a piece) for one listener.
struct PreviewRendering {
  private let preview: PersonalisedPreview
  private let rendering: ListenerRendering

  /// The minimum duration in seconds of the settling rounds. The settling rounds are additional
  /// passes through the loop, and their output is discarded. The filters need much less than one
  /// second to settle.
  private static let minimumSettlingSeconds = 1.0
  /// The minimum duration of the settling rounds, as a multiple of the longest time constant of the
  /// level detectors. After 15 time constants, the influence of the initial state of a level
  /// detector is reduced to a fraction of 3 · 10⁻⁷.
  private static let settlingTimeConstants = 15.0

  /// Determines the sound pressure level that the samples of the mix stem represent, and prepares
  /// the processor.
  ///
  /// - Parameters:
  ///   - isLooped: Whether the piece has a loop. A loop must repeat seamlessly.
  ///   - isCancelled: A closure that is called often while the level is measured. If the closure
  ///     returns true, the measurement stops.
  init(
    _ preview: PersonalisedPreview, reader: WAVReader, isLooped: Bool, _ isCancelled: () -> Bool
  ) throws {
    self.preview = preview
    rendering = try ListenerRendering(
      of: reader, calibration: preview.calibration,
      lookAhead: isLooped ? 0 : OfflineRenderer.lookAhead, isCancelled: isCancelled)
    try rendering.apply(preview.preset)
  }

  /// Renders the mix stem to the file at `path`.
  func run(
    to path: String, loop: LoopMarkers?, _ progress: (Double) -> Void,
    _ isCancelled: () -> Bool
  ) throws {
    let writer = try rendering.makeWriter(
      path: path, encoding: preview.encoding,
      scaling: rendering.scaling(encoding: preview.encoding, for: preview.preset))
    guard let loop, let frameCount = rendering.reader.frameCount else {
      // If there is no loop, or if the length of the mix stem is unknown, the mix stem is rendered
      // once, without settling rounds.
      return try render(from: rendering.reader, to: writer, progress, isCancelled)
    }
    let frames = try frames(of: loop, in: frameCount)
    let rate = rendering.reader.sampleRate
    let settlingFrameCount = Int(settlingSeconds * rate)
    if preview.loopCount > 1 {
      let limit = Int(PersonalisedPreview.maximumLoopedSeconds * rate) / frames.count
      guard preview.loopCount <= limit else {
        throw UnsuitableLoop(
          reason: "\(preview.loopCount) rounds last more than 24 hours; at most \(limit) are "
            + "possible")
      }
      let source = try LoopedSource(
        rendering.reader, loop: frames, settlingFrameCount: settlingFrameCount,
        rounds: preview.loopCount)
      let faded = FadedSink(
        writer, frameCount: preview.loopCount * frames.count,
        fadeFrameCount: Int(PersonalisedPreview.fadeSeconds * rate))
      let sink = LoopedSink(faded, source: source, peaks: peaks)
      return try render(from: source, to: sink, progress, isCancelled)
    }
    let source = try LoopedSource(
      rendering.reader, loop: frames, settlingFrameCount: settlingFrameCount)
    let sink = LoopedSink(writer, source: source, peaks: peaks)
    try render(from: source, to: sink, progress, isCancelled)
  }

  private func render(
    from source: some FrameSource, to sink: some FrameSink, _ progress: (Double) -> Void,
    _ isCancelled: () -> Bool
  ) throws {
    try withoutActuallyEscaping(progress) { progress in
      // Unsafe: the default argument of `process` is a function with pointer parameters.
      _ = try unsafe rendering.render(
        from: source, to: sink, progress: { progress($0.fraction ?? 0) },
        isCancelled: isCancelled)
    }
  }

  /// The maximum magnitude of the processor's output samples in each channel.
  private var peaks: [Float] {
    ListenerRendering.ears.map { ear in
      let ceiling =
        ear.flatMap { preview.preset[$0] }?.maximumOutput
        ?? ProcessorSettings.defaultOutputCeiling
      return Float(rendering.calibration.peakAmplitude(ofSineAt: ceiling))
    }
  }

  /// The minimum duration of the settling rounds for the preset of the preview, in seconds.
  private var settlingSeconds: Double {
    let times = Ear.allCases.compactMap { preview.preset[$0] }
      .flatMap { $0.attackTimes + $0.releaseTimes }
    return max(Self.minimumSettlingSeconds, Self.settlingTimeConstants * (times.max() ?? 0))
  }

  /// The range of frames in the loop. Each loop marker is rounded to the nearest frame. Throws an
  /// error if the loop contains no frames.
  ///
  /// - Parameter count: The number of frames in the mix stem.
  private func frames(of loop: LoopMarkers, in count: Int) throws(UnsuitableLoop) -> Range<Int> {
    let reader = rendering.reader
    func frame(_ microseconds: Int64) -> Int {
      Int(min(Double(count), (Double(microseconds) * reader.sampleRate / 1_000_000).rounded()))
    }
    let frames = frame(loop.start)..<frame(loop.end)
    guard !frames.isEmpty else {
      throw UnsuitableLoop(
        reason: "there are no frames from \(loop.start) to \(loop.end) µs in a recording of "
          + "\(count) frames at \(Int(reader.sampleRate)) Hz")
    }
    return frames
  }
}

/// The reason why the loop of a piece cannot be rendered.
struct UnsuitableLoop: Error {
  let reason: String
}
