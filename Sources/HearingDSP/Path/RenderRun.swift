internal import HearingBuffers

/// One run of sound on its way through the stages of a ``RenderKernel``.
///
/// It is at most one chunk long. The kernel prepares it; stages read it and add their results.
struct RenderRun: BitwiseCopyable {
  /// The host's channels, the run's first frame in them, and the distance between frames.
  let host: Row<Row<Float>>
  let start: Int
  let stride: Int

  /// Samples between stages, `[channel][chunk]`, with a silent last channel if the number of
  /// channels is odd.
  let work: Row<Float>

  /// Where the gain stage writes each channel: the host's samples or the channel's work row.
  let targets: Row<Row<Float>>

  /// The peak magnitude of each channel's target, or ``unknownPeak``.
  let peaks: Row<Float>

  let meters: Row<ChannelMeter>

  /// The limits in force, `[channel]`.
  let limits: Row<ChannelLimits>

  /// The number of frames in the run, and the number of frames rendered before it.
  let count: Int
  let position: Int64

  /// The shape of the current ramp of coefficients and gains, its length in frames, and its elapsed
  /// frames.
  let ramp: RampShape
  let rampLength: Int
  let rampOffset: Int

  /// Channels whose gains have settled at 0 dB.
  let flat: ChannelSet

  /// Between the untouched input and the processed sound.
  let fade: CrossFade

  /// Channels that no stage has changed so far.
  var unchanged: ChannelSet

  /// Channels with samples that are not finite or implausibly large.
  var broken = ChannelSet()

  /// The value of a peak that has to be measured again.
  static let unknownPeak: Float = -1

  /// A channel's samples in the host's memory, from the first frame of the run; they are ``stride``
  /// elements apart.
  func hostSamples(_ channel: Int) -> Row<Float> {
    host[channel].from(start &* stride)
  }

  /// Copies a channel's host samples to its work row without invalid ones, which it counts.
  ///
  /// - Returns: the peak magnitude.
  @inline(__always)
  mutating func load(_ channel: Int) -> Float {
    let (peak, isBroken) = copyInput(
      channel, to: workRow(channel), minimum: DenormalGuard.inputFloor,
      filler: DenormalGuard.filler(at: position))
    if _slowPath(isBroken) { recordRejected(channel) }
    return peak
  }

  /// Copies a channel's host samples to `target`. Invalid samples and samples below `minimum`
  /// become 0, or ±`filler`.
  func copyInput(
    _ channel: Int, to target: Row<Float>, minimum: Float = 0, filler: Float = 0
  ) -> (peak: Float, isBroken: Bool) {
    var source = hostSamples(channel)
    if stride != 1 {
      SampleOperations.gather(source, stride: stride, to: target, count: count)
      source = target
    }
    return SampleOperations.copy(
      source, to: target, count: count, minimum: minimum,
      maximum: limits[channel].rejectionLevel, filler: filler)
  }

  /// Counts invalid host samples of a channel.
  @inline(never)
  private mutating func recordRejected(_ channel: Int) {
    broken.insert(channel)
    meters[channel].rejectedCount &+= SampleOperations.rejectedCount(
      hostSamples(channel), stride: stride, count: count,
      maximum: limits[channel].rejectionLevel)
  }

  /// A channel's work row.
  func workRow(_ channel: Int) -> Row<Float> {
    work.from(channel &* RenderTiming.chunk)
  }
}
