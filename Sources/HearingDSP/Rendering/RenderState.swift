/// All that the render side owns, in flat memory.
///
/// Only one thread at a time may use it. A value of pointers and counters; whoever creates it calls
/// `deallocate()`.
struct RenderState {
  let shape: ProcessorShape
  let timing: RenderTiming
  let exchange: SettingsExchange
  let board: LevelBoard

  /// `[channel][vector]`, with a silent last channel if their number is odd.
  let sections: UnsafeMutablePointer<LaneSections>
  let motions: UnsafeMutablePointer<LaneMotion>

  /// Where the sections sit, `[vector]`, the same for every channel.
  let plans: UnsafeMutablePointer<LanePlan>

  let channels: UnsafeMutablePointer<ChannelState>

  /// For limiters that look ahead or are linked.
  let limiting: LimiterState

  /// Processed samples of the run, `[channel][chunk]`.
  let wet: UnsafeMutablePointer<Float>

  /// Gains in dB at the start of the transition and now, `[channel][band]`.
  let startGains: UnsafeMutablePointer<Float>
  let gains: UnsafeMutablePointer<Float>

  /// For gains that depend on level.
  var compression: CompressionState

  /// Where each channel's samples are, for interleaved frames.
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  let transitionCurve: UnsafeMutablePointer<Float>
  let fadeCurve: UnsafeMutablePointer<Float>

  /// Frames since the first one.
  var position = 0
  var hasBegun = false
  /// Frames of the sub-block under way; it began at a multiple of its length.
  var subBlock: Int
  var isEnabled = false
  /// Whether any gain depends on level: then coefficients always move.
  var isCompressing = false
  /// What brought the gains that are in force or on their way, as in ``SettingsSlot``.
  var gainGeneration: UInt64 = 0
  /// Steps of the transition that are over; nil if nothing moves. While gains depend on level
  /// it stays at the last one.
  var transitionStep: Int?
  /// Steps that the transition takes at a time: 4, 2 or 1.
  var transitionPace = 1
  /// Place on the fade curve: 0 is bypass, `timing.fadeFrames` is processed.
  var fadePosition = 0
  var peakChunk = 0

  init(
    shape: ProcessorShape, sampleRate: Double, exchange: SettingsExchange, board: LevelBoard,
    division: GainDivision, limiter: LimiterConfiguration
  ) {
    self.shape = shape
    self.exchange = exchange
    self.board = board
    timing = RenderTiming(sampleRate: sampleRate)
    subBlock = timing.subBlock
    let paired = shape.pairedChannelCount
    sections = .filled(LaneSections(), count: paired * shape.vectorsPerChannel)
    motions = .filled(LaneMotion(), count: paired * shape.vectorsPerChannel)
    plans = .filled(LanePlan(), count: shape.vectorsPerChannel)
    channels = .filled(ChannelState(sampleRate: sampleRate), count: paired)
    limiting = LimiterState(
      limiter, channelCount: shape.channelCount, sampleRate: sampleRate, run: RenderTiming.chunk)
    wet = .filled(0, count: paired * RenderTiming.chunk)
    startGains = .filled(0, count: shape.channelCount * shape.bandCount)
    gains = .filled(0, count: shape.channelCount * shape.bandCount)
    compression = CompressionState(
      shape: shape, timing: timing, sampleRate: sampleRate, division: division)
    pointers = .filled(wet, count: shape.channelCount)
    transitionCurve = RenderTiming.rise(steps: timing.transitionSteps)
    fadeCurve = RenderTiming.rise(steps: timing.fadeFrames)
  }

  /// Whether coefficients are where the settings want them, at rest or following levels.
  var isSettled: Bool {
    @_noLocks @_noAllocation @inline(__always) get {
      transitionStep == nil || transitionStep == timing.transitionSteps
    }
  }

  func deallocate() {
    sections.deallocate()
    motions.deallocate()
    plans.deallocate()
    channels.deallocate()
    limiting.deallocate()
    wet.deallocate()
    startGains.deallocate()
    gains.deallocate()
    compression.deallocate()
    pointers.deallocate()
    transitionCurve.deallocate()
    fadeCurve.deallocate()
  }
}
