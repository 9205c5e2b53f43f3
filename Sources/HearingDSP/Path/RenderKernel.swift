internal import HearingBuffers

/// The render side of a processor: the signal path as a list of stages.
///
/// A block is processed in runs of at most one chunk. Edges of sub-blocks, windows and chunks are
/// counted from the first frame ever rendered (`RenderKernel+Edges`), so the result does not depend
/// on the block sizes. A new stage needs a property and one line each in `init`, `reset()` and
/// `process(_:)`.
struct RenderKernel: ~Copyable {
  var headphone: HeadphoneStage
  var input: InputStage
  var compressor: CompressorStage
  var equalizer: EqualizerStage
  var gain: BroadbandGainStage
  var limiter: LimiterStage
  var output: OutputStage

  let shape: ProcessorShape
  let timing: RenderTiming
  let handoff: Row<TripleBuffer<SettingsSlot>>
  let board: LevelBoard
  let memory: RunMemory
  var meter: GainMeter
  var transition: GainTransition
  /// Between the untouched input and the processed sound.
  var fade: CrossFade
  var rejection: RejectionReport

  /// The number of frames rendered so far. It has 64 bits on every target, because 32 bits last
  /// only 12 hours at 48 kHz.
  var position: Int64 = 0
  /// The length of the current sub-block in frames; it began at a multiple of its length.
  var subBlock: Int
  var hasBegun = false
  /// The generation that set the gains in force, as in ``SettingsSlot``.
  var gainGeneration: UInt64 = 0
  /// Completed chunks of the current peak period.
  var peakChunk = 0

  /// `handoff` and `board` are shared with the control side, which frees them.
  init(
    spec: ProcessingSpec, layout: BandLayout, limiter configuration: LimiterConfiguration,
    design: EqualizerDesign, handoff: Row<TripleBuffer<SettingsSlot>>, board: LevelBoard,
    events: RenderEventWriter
  ) {
    let (sampleRate, channels) = (spec.sampleRate, spec.channelCount)
    shape = ProcessorShape(channelCount: channels, bandCount: layout.centers.count)
    timing = RenderTiming(sampleRate: sampleRate)
    headphone = HeadphoneStage(channelCount: channels, sampleRate: sampleRate)
    input = InputStage(channelCount: channels)
    compressor = CompressorStage(
      shape: shape, layout: layout, sampleRate: sampleRate, design: design)
    equalizer = EqualizerStage(shape: shape, plan: design.plan)
    gain = BroadbandGainStage(channelCount: channels)
    limiter = LimiterStage(configuration, channelCount: channels, sampleRate: sampleRate)
    fade = CrossFade(length: timing.fadeFrames)
    output = OutputStage(
      channelCount: channels, latency: configuration.latency(sampleRate: sampleRate),
      fade: fade)
    self.handoff = handoff
    self.board = board
    memory = RunMemory(shape: shape)
    meter = GainMeter(shape: shape, board: board)
    transition = GainTransition(timing: timing)
    rejection = RejectionReport(events: events, sampleRate: sampleRate)
    subBlock = timing.subBlock
  }

  /// Clears all state; the next frame counts as the first one.
  mutating func reset() {
    headphone.reset()
    input.reset()
    compressor.reset()
    equalizer.reset()
    gain.reset()
    limiter.reset()
    output.reset()
    memory.reset()
    rejection.reset()
    transition.finish()
    (position, peakChunk, hasBegun) = (0, 0, false)
  }

  /// Sends a run through the stages.
  @inline(__always)
  private mutating func process(_ run: inout RenderRun) {
    if headphone.isActive { headphone.process(&run) }
    input.process(&run)
    compressor.process(&run)
    equalizer.process(&run)
    chooseTargets(run)
    gain.process(&run)
    if !run.unchanged.isEmpty { input.restore(run) }
    limiter.process(&run)
    output.process(&run)
  }

  /// Lets the gain stage write directly to the host's samples if the output is neither mixed with
  /// the untouched input nor delayed nor copied.
  @inline(__always)
  private func chooseTargets(_ run: RenderRun) {
    let isDirect = run.stride == 1 && fade.isComplete && limiter.latency == 0
    for channel in 0..<shape.channelCount {
      let isStraight = isDirect && !run.unchanged.contains(channel)
      memory.targets[channel] = isStraight ? run.hostSamples(channel) : run.workRow(channel)
    }
  }

  /// Processes `frameCount` frames in place; channel c's samples lie in row c of the run memory's
  /// `host`, `stride` apart.
  private mutating func process(frameCount: Int, stride: Int = 1) {
    guard frameCount > 0 else { return }
    if !hasBegun { begin() }
    let first = position
    var done = 0
    while done < frameCount {
      if isEdge(of: subBlock) { startSubBlock() }
      let offset = framesSinceEdge(of: subBlock)
      let count = min(runLength(offset: offset), frameCount - done)
      let slot = handoff[0].front
      var run = RenderRun(
        host: memory.host.row, start: done, stride: stride, work: memory.work.row,
        targets: memory.targets.row, peaks: memory.peaks.row, meters: memory.meters.row,
        limits: slot[0].limits.row, count: count, position: position, ramp: transition.shape,
        rampLength: subBlock, rampOffset: offset,
        flat: transition.isSettled ? slot[0].equalizer.flatChannels : ChannelSet(), fade: fade,
        unchanged: memory.allChannels)
      process(&run)
      done += count
      position &+= Int64(count)
      fade.advance(count)
      if isEdge(of: subBlock) { finishSubBlock() }
      if isEdge(of: RenderTiming.chunk) { finishChunk() }
    }
    publishLevels(since: first)
  }

  /// Processes the channels at `channels` in place.
  mutating func process(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    for channel in 0..<shape.channelCount {
      unsafe memory.host[channel] = Row(channels[channel], count: frameCount)
    }
    process(frameCount: frameCount)
  }

  /// Processes the channels in place.
  mutating func process(_ channels: Row<Row<Float>>, frameCount: Int) {
    for channel in 0..<shape.channelCount { memory.host[channel] = channels[channel] }
    process(frameCount: frameCount)
  }

  /// Processes two channels in place.
  mutating func processPair(_ left: Row<Float>, _ right: Row<Float>, frameCount: Int) {
    (memory.host[0], memory.host[1]) = (left, right)
    process(frameCount: frameCount)
  }

  /// Processes interleaved frames in place.
  mutating func processInterleaved(_ frames: Row<Float>, frameCount: Int) {
    for channel in 0..<shape.channelCount { memory.host[channel] = frames.from(channel) }
    process(frameCount: frameCount, stride: shape.channelCount)
  }
}
