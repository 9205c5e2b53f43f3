internal import HearingBuffers

/// Applies a gain to each band of each channel in real time, and limits the output to a ceiling.
///
///     let processor = try BandGainProcessor(
///       spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2))
///     try processor.apply(ProcessorSettings(gains: [leftGains, rightGains]))
///     processor.processInterleaved(frames, frameCount: 512)      // on the audio thread
///
/// Each channel has one cascade of minimum-phase filters. It has no latency unless the limiter
/// looks ahead (see ``LimiterConfiguration``). The gains are exact at the centres of the layout,
/// change smoothly between them, and are constant beyond the outermost centres. Blocks may have any
/// number of frames, and the number may change; the result is the same to the last bit.
///
/// A processor starts disabled. A disabled processor is a true bypass: it changes no samples, not
/// even broken ones or those above the ceiling. Its filters keep running, so that it can be enabled
/// without a click, and cost as much as when it is enabled. If it is enabled with all gains at 0
/// dB, sound below the ceiling passes unchanged to the last bit.
///
/// A processor has two sides. The control side calls `apply(_:)` and reads `levels`, from any
/// thread. The render side calls `process(_:frameCount:)`, `processInterleaved(_:frameCount:)` and
/// `reset()`; one thread at a time. The render side never allocates, locks, counts references or
/// waits, regardless of the control side.
///
/// It does not decide which gains a listener needs; see the fitting module for that.
public final class BandGainProcessor {
  /// The stream that the processor is built for.
  public let spec: ProcessingSpec

  /// The bands whose gains it applies.
  public let layout: BandLayout

  /// How its output is limited to the ceiling.
  public let limiter: LimiterConfiguration

  /// The delay of the output in frames, whether the processor is enabled or not. It is the
  /// limiter's look-ahead, 0 by default; the filters add no latency.
  public let latency: Int

  /// The events that rendering publishes for the host: ``RenderEvent/Kind/inputRejected``.
  public let events = RenderEventRing(capacity: 8)

  let handoff: OwnedRow<TripleBuffer<SettingsSlot>>
  let board: LevelBoard
  let control: ControlLock<ProcessorControl>
  let kernel: OwnedRow<RenderKernel>

  /// Builds a processor that is disabled and has all gains at 0 dB.
  ///
  /// - Parameters:
  ///   - spec: 8,000…192,000 Hz, 1…8 channels.
  ///   - layout: centres below 0.45 of the sample rate; see ``BandLayout/limited(to:)``.
  ///   - limiter: how the output is limited; by default without look-ahead, channels linked.
  /// - Throws: ``BandGainProcessorError`` that names the value.
  public init(
    spec: ProcessingSpec, layout: BandLayout = .audiometric,
    limiter: LimiterConfiguration = LimiterConfiguration()
  ) throws(BandGainProcessorError) {
    guard ProcessingSpec.supportedSampleRates.contains(spec.sampleRate) else {
      throw .sampleRateOutOfRange(spec.sampleRate)
    }
    guard ProcessingSpec.supportedChannelCounts.contains(spec.channelCount) else {
      throw .channelCountOutOfRange(spec.channelCount)
    }
    for (band, center) in layout.centers.enumerated() where !(center < spec.centerLimit) {
      throw .centerNotCarried(band: band, frequency: center, limit: spec.centerLimit)
    }
    guard LimiterConfiguration.supportedLookAheads.contains(limiter.lookAhead) else {
      throw .lookAheadOutOfRange(limiter.lookAhead)
    }
    guard LimiterConfiguration.supportedReleaseTimes.contains(limiter.releaseTime) else {
      throw .releaseTimeOutOfRange(limiter.releaseTime)
    }
    self.spec = spec
    self.layout = layout
    self.limiter = limiter
    latency = limiter.latency(sampleRate: spec.sampleRate)
    let shape = ProcessorShape(
      channelCount: spec.channelCount, bandCount: layout.centers.count)
    let control = ProcessorControl(spec: spec, layout: layout)
    handoff = OwnedRow(TripleBuffer { SettingsSlot(shape: shape) })
    handoff[0].prepare { control.write(to: &$0) }
    board = LevelBoard(shape: shape)
    kernel = OwnedRow(
      RenderKernel(
        spec: spec, layout: layout, limiter: limiter, design: control.design,
        handoff: handoff.row,
        board: board, events: events.writer))
    self.control = ControlLock(control)
  }

  deinit {
    unsafe board.deallocate()
  }

  /// Processes one block in place. Render side.
  ///
  /// - Parameters:
  ///   - channels: a pointer to each channel's samples, one for each channel of the spec, all
  ///     different.
  ///   - frameCount: frames in the block, 0 or more; may differ from block to block.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public func process(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    unsafe kernel[0].process(channels, frameCount: frameCount)
  }

  /// Processes one block of interleaved frames in place. Render side.
  ///
  /// The result equals that of `process(_:frameCount:)` to the last bit; the two may be mixed.
  ///
  /// - Parameters:
  ///   - frames: `frameCount` × channels samples, frame after frame.
  ///   - frameCount: frames in the block, 0 or more; may differ from block to block.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public func processInterleaved(_ frames: UnsafeMutablePointer<Float>, frameCount: Int) {
    let samples = unsafe Row(frames, count: frameCount * spec.channelCount)
    kernel[0].processInterleaved(samples, frameCount: frameCount)
  }

  /// Processes one block of one channel in place, for a processor of one channel. Render side.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public func process(_ samples: inout MutableSpan<Float>) {
    let (kernel, count, expected) = (kernel.row, samples.count, spec.channelCount)
    precondition(expected == 1, "1 channel for a processor of \(expected)")
    unsafe samples.withUnsafeMutableBufferPointer { buffer in
      guard let first = buffer.baseAddress else { return }
      kernel[0].processInterleaved(unsafe Row(first, count: count), frameCount: count)
    }
  }

  /// Processes one block of two channels in place, for a processor of two channels. Render side.
  ///
  /// Both must have the same number of samples.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public func process(_ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>) {
    let (kernel, expected) = (kernel.row, spec.channelCount)
    let (count, other) = (left.count, right.count)
    precondition(expected == 2, "2 channels for a processor of \(expected)")
    precondition(other == count, "\(count) and \(other) samples in one block")
    // Both spans are held exclusively until this returns. Nested closures would count references.
    let first = unsafe left.withUnsafeMutableBufferPointer { $0.baseAddress }
    let second = unsafe right.withUnsafeMutableBufferPointer { $0.baseAddress }
    guard let first = unsafe first, let second = unsafe second else { return }
    kernel[0].processPair(
      unsafe Row(first, count: count), unsafe Row(second, count: count), frameCount: count)
  }

  /// Processes one block of interleaved frames in place. Render side.
  ///
  /// - Parameter frames: A multiple of the number of channels, frame after frame.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public func processInterleaved(_ frames: inout MutableSpan<Float>) {
    let (kernel, count, channels) = (kernel.row, frames.count, spec.channelCount)
    precondition(
      count % channels == 0, "\(count) samples are not whole frames of \(channels) channels")
    unsafe frames.withUnsafeMutableBufferPointer { buffer in
      guard let first = buffer.baseAddress else { return }
      kernel[0].processInterleaved(
        unsafe Row(first, count: count), frameCount: count / channels)
    }
  }

  /// Clears all sound processed so far. Render side, or while nothing renders.
  ///
  /// The next frame counts as the first one: the newest settings applied are in force at once,
  /// without a transition, and the limiter's statistics start from zero again.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public func reset() {
    kernel[0].reset()
  }
}

// Sendable: `spec`, `layout`, `handoff`, `board` and `kernel` are never changed after init. Each
// part of the memory behind them has one owner at a time: `kernel` belongs to the render side,
// which the caller keeps to one thread at a time; the back slot of `handoff` is used only inside
// `control`'s lock; slots change sides by atomic exchange with acquire and release order; `board`
// is made of atomic words. Memory is freed in deinit, when no reference is left.
extension BandGainProcessor: @unchecked Sendable {}

extension BandGainProcessor: RenderEventSource {}
