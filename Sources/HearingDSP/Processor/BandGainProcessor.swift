internal import HearingBuffers

/// Applies a gain to each band of each channel in real time, and limits the output to a ceiling.
///
///     let processor = try BandGainProcessor(
///       spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2))
///     try processor.apply(ProcessorSettings(gains: [leftGains, rightGains]))
///     processor.processInterleaved(frames, frameCount: 512)      // on the audio thread
///
/// Each channel has one cascade of minimum-phase filters. The filters have no latency. Only a
/// limiter with look-ahead adds latency (see ``LimiterConfiguration``). The gains are exact at the
/// band centres of the layout. Between the band centres, the gain changes smoothly. Below the first
/// and above the last band centre, the gain is constant. Blocks may have any number of frames, and
/// the number may differ from block to block. The output is bit-identical for all block sizes.
///
/// A new processor is disabled. Without a headphone correction, a disabled processor is a true
/// bypass: every sample passes unchanged, even an invalid sample or a sample above the ceiling. The
/// filters of a disabled processor continue to process the signal, so that the next enabling of the
/// processor causes no click. Therefore a disabled processor needs as much CPU time as an enabled
/// processor. If all gains are 0 dB and there is no headphone correction, an enabled processor
/// passes a signal below the ceiling bit-exactly.
///
/// The interface of a processor has a control side and a render side. The control side consists of
/// `apply(_:)` and `levels`, which may be called from any thread. The render side consists of
/// `process(_:frameCount:)`, `processInterleaved(_:frameCount:)` and `reset()`, which may be called
/// from only one thread at a time. The render side never allocates memory, acquires a lock, counts
/// references or waits for the control side.
///
/// The processor does not calculate the gains that a listener needs. The module `HearingFitting`
/// calculates these gains.
public final class BandGainProcessor {
  /// The sample rate and the number of channels of the processor.
  public let spec: ProcessingSpec

  /// The bands to which the processor applies gains.
  public let layout: BandLayout

  /// The configuration of the output limiter.
  public let limiter: LimiterConfiguration

  /// The delay of the output in frames. The delay equals the look-ahead of the limiter. By default,
  /// the look-ahead is 0. The filters add no latency. A disabled processor has the same delay as an
  /// enabled processor.
  public let latency: Int

  /// The events that the processor publishes for the host during rendering. A processor publishes
  /// only events of the kind ``RenderEvent/Kind/inputRejected``.
  public let events = RenderEventRing(capacity: 8)

  let handoff: OwnedRow<TripleBuffer<SettingsSlot>>
  let board: LevelBoard
  let control: ControlLock<ProcessorControl>
  let kernel: OwnedRow<RenderKernel>

  /// Creates a processor that is disabled and has all gains at 0 dB.
  ///
  /// - Parameters:
  ///   - spec: a sample rate of 8,000…192,000 Hz and 1…8 channels.
  ///   - layout: the bands. The centres of the bands must be below 0.45 of the sample rate. See
  ///     ``BandLayout/limited(to:)``.
  ///   - limiter: the configuration of the output limiter. By default, the limiter has no
  ///     look-ahead, and channels are linked.
  /// - Throws: ``BandGainProcessorError``, which contains the invalid value.
  public init(
    spec: ProcessingSpec, layout: BandLayout = .audiometric,
    limiter: LimiterConfiguration = LimiterConfiguration()
  ) throws(BandGainProcessorError) {
    typealias Failure = BandGainProcessorError
    try ProcessingSpec.supportedSampleRates.check(spec.sampleRate, Failure.sampleRateOutOfRange)
    try ProcessingSpec.supportedChannelCounts.check(
      spec.channelCount, Failure.channelCountOutOfRange)
    for (band, center) in layout.centers.enumerated() where !(center < spec.centerLimit) {
      throw .centerNotCarried(band: band, frequency: center, limit: spec.centerLimit)
    }
    try LimiterConfiguration.supportedLookAheads.check(
      limiter.lookAhead, Failure.lookAheadOutOfRange)
    try LimiterConfiguration.supportedReleaseTimes.check(
      limiter.releaseTime, Failure.releaseTimeOutOfRange)
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

  /// Processes one block in place. Call this method on the audio thread.
  ///
  /// - Parameters:
  ///   - channels: one pointer per channel, to the samples of that channel. All pointers must
  ///     differ.
  ///   - frameCount: the number of frames in the block, 0 or more. The number of frames may differ
  ///     from block to block.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public func process(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    unsafe kernel[0].process(channels, frameCount: frameCount)
  }

  /// Processes one block of interleaved frames in place. Call this method on the audio thread.
  ///
  /// The result is bit-identical to the result of `process(_:frameCount:)`. A host may use
  /// `process(_:frameCount:)` and `processInterleaved(_:frameCount:)` for the same stream.
  ///
  /// - Parameters:
  ///   - frames: the samples, frame after frame. The number of samples is `frameCount` times the
  ///     number of channels.
  ///   - frameCount: the number of frames in the block, 0 or more. The number of frames may differ
  ///     from block to block.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public func processInterleaved(_ frames: UnsafeMutablePointer<Float>, frameCount: Int) {
    let samples = unsafe Row(frames, count: frameCount * spec.channelCount)
    kernel[0].processInterleaved(samples, frameCount: frameCount)
  }

  /// Processes one block of one channel in place. The processor must have one channel. Call this
  /// method on the audio thread.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public func process(_ samples: inout MutableSpan<Float>) {
    let expected = spec.channelCount
    precondition(expected == 1, "1 channel for a processor of \(expected)")
    processInterleaved(&samples)
  }

  /// Processes one block of two channels in place. The processor must have two channels. Call this
  /// method on the audio thread.
  ///
  /// Both channels must have the same number of samples.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public func process(_ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>) {
    let (kernel, expected) = (kernel.row, spec.channelCount)
    let (count, other) = (left.count, right.count)
    precondition(expected == 2, "2 channels for a processor of \(expected)")
    precondition(other == count, "\(count) and \(other) samples in one block")
    // The function has exclusive access to both spans until the function returns. Therefore the
    // pointers stay valid. Nested calls of `withUnsafeMutableBufferPointer` would cause reference
    // counting.
    let first = unsafe left.withUnsafeMutableBufferPointer { $0.baseAddress }
    let second = unsafe right.withUnsafeMutableBufferPointer { $0.baseAddress }
    guard let first = unsafe first, let second = unsafe second else { return }
    kernel[0].processPair(
      unsafe Row(first, count: count), unsafe Row(second, count: count), frameCount: count)
  }

  /// Processes one block of interleaved frames in place. Call this method on the audio thread.
  ///
  /// - Parameter frames: The samples, frame after frame. The number of samples must be a multiple
  ///   of the number of channels.
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

  /// Resets the signal processing to its state before the first frame. Call this method on the
  /// audio thread, or while no thread is rendering.
  ///
  /// The first frame after a reset is frame 0. At frame 0, the latest applied settings take effect
  /// without a transition. The limiter statistics are cleared.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public func reset() {
    kernel[0].reset()
  }
}

// The class is Sendable because its properties never change after init. Concurrent access to the
// memory behind the properties is safe for the following reasons. `kernel` is used only during
// rendering, and the caller ensures that only one thread at a time renders. The back slot of
// `handoff` is used only inside the lock of `control`. An atomic exchange with acquire and release
// order passes a slot from the thread that applies settings to the audio thread, and back. `board`
// consists of atomic words. All memory is freed in `deinit`, when no reference to the processor
// exists.
extension BandGainProcessor: @unchecked Sendable {}
