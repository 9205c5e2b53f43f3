internal import HearingBuffers

/// Processes the audio of a ``BandGainProcessor`` on the audio thread. The signal passes through a
/// list of stages.
///
/// The kernel divides each block of the host into runs of at most 256 frames. All stages process
/// one run before the next run begins. Settings, gains and levels change only at fixed positions in
/// the stream. The positions are counted from the first rendered frame. Therefore the output does
/// not depend on the block sizes. ``RenderTiming`` defines the distances between the positions.
///
/// To add a stage, add a property. Also add one line to each of the methods `init`, `reset()` and
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
  /// The cross-fade between the original input and the processed signal.
  var fade: CrossFade
  var rejection: RejectionReport

  /// The number of frames that were rendered since the start of the stream or the last reset. At 48
  /// kHz, a signed number of 32 bits would overflow after 12 hours. Therefore the frame count has
  /// 64 bits on every platform.
  var position: Int64 = 0
  /// The length of the current sub-block in frames. The number of frames before a sub-block is a
  /// multiple of the length of the sub-block.
  var subBlock: Int
  var hasBegun = false
  /// The generation number of the last settings that changed the gains. The first applied settings
  /// have the generation number 1, and the next settings have the generation number 2. See
  /// ``SettingsSlot/gainGeneration``.
  var gainGeneration: UInt64 = 0
  /// The number of completed chunks of 256 frames since the start of the current peak period.
  var peakChunk = 0

  /// Creates all stages. The ``BandGainProcessor`` owns the memory of `handoff` and `board`, and
  /// frees this memory.
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
      channelCount: channels, latency: limiter.latency, sampleRate: sampleRate, fade: fade)
    self.handoff = handoff
    self.board = board
    memory = RunMemory(shape: shape)
    meter = GainMeter(shape: shape, board: board)
    transition = GainTransition(timing: timing)
    rejection = RejectionReport(events: events, sampleRate: sampleRate)
    subBlock = timing.subBlock
  }

  /// Clears the state of all stages. The next rendered frame has the number 0.
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
    publishLevels(since: 0)
  }

  /// Passes the samples of a run through all stages, one stage after the other.
  @inline(__always)
  private mutating func process(_ run: inout RenderRun) {
    if run.isCorrected { headphone.process(&run) }
    input.process(&run)
    compressor.process(&run)
    equalizer.process(&run)
    chooseTargets(run)
    gain.process(&run)
    if !run.unchanged.isEmpty { input.restore(run) }
    limiter.process(&run)
    output.process(&run)
  }

  /// For each channel, selects the memory that receives the output of the gain stage. If no later
  /// stage mixes, delays or copies the channel, the gain stage writes directly to the host's
  /// samples.
  @inline(__always)
  private func chooseTargets(_ run: RenderRun) {
    let isDirect = run.stride == 1 && fade.isComplete && limiter.latency == 0
    for channel in 0..<shape.channelCount {
      let isStraight = isDirect && !run.unchanged.contains(channel)
      memory.targets[channel] = isStraight ? run.hostSamples(channel) : run.workRow(channel)
    }
  }

  /// Processes `frameCount` frames in place. The samples of channel c are in row c of
  /// `memory.host`. Consecutive samples of a channel are `stride` elements apart.
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
        ratios: memory.ratios.row, targets: memory.targets.row, peaks: memory.peaks.row,
        meters: memory.meters.row,
        limits: slot[0].limits.row, count: count, position: position, ramp: transition.shape,
        rampLength: subBlock, rampOffset: offset,
        flat: transition.isSettled ? slot[0].flatChannels : ChannelSet(), fade: fade,
        isCorrected: headphone.isActive, unchanged: memory.allChannels)
      process(&run)
      done += count
      position &+= Int64(count)
      fade.advance(count)
      if isEdge(of: subBlock) { finishSubBlock() }
      if isEdge(of: RenderTiming.chunk) { finishChunk() }
    }
    publishLevels(since: first)
  }

  /// Processes one block in place. `channels` contains one pointer per channel.
  mutating func process(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    for channel in 0..<shape.channelCount {
      unsafe memory.host[channel] = Row(channels[channel], count: frameCount)
    }
    process(frameCount: frameCount)
  }

  /// Processes one block in place. `channels` contains one row per channel.
  mutating func process(_ channels: Row<Row<Float>>, frameCount: Int) {
    for channel in 0..<shape.channelCount { memory.host[channel] = channels[channel] }
    process(frameCount: frameCount)
  }

  /// Processes one block of two channels in place.
  mutating func processPair(_ left: Row<Float>, _ right: Row<Float>, frameCount: Int) {
    (memory.host[0], memory.host[1]) = (left, right)
    process(frameCount: frameCount)
  }

  /// Processes one block of interleaved frames in place.
  mutating func processInterleaved(_ frames: Row<Float>, frameCount: Int) {
    for channel in 0..<shape.channelCount { memory.host[channel] = frames.from(channel) }
    process(frameCount: frameCount, stride: shape.channelCount)
  }
}
