internal import HearingBuffers

/// A sequence of consecutive frames that the stages of a ``RenderKernel`` process together.
///
/// A run has at most 256 frames. The kernel creates the run. Each stage reads the run, and stores
/// its results in the run for the later stages.
struct RenderRun: BitwiseCopyable {
  /// The memory of the host that contains the samples of the run. The property `host` has one row
  /// per channel. The property `start` is the index of the run's first frame in the block. The
  /// property `stride` is the distance in elements between consecutive frames.
  let host: Row<Row<Float>>
  let start: Int
  let stride: Int

  /// The samples that stages pass to each other, `[channel][frame]`, with 256 frames per channel.
  /// If the number of channels is odd, a silent channel follows the last channel.
  let work: Row<Float>

  /// Scratch memory for limiters, with one number per frame. A limiter first writes ratios: sample
  /// magnitudes divided by the ceiling. Afterwards, the limiter replaces each ratio by the gain for
  /// the frame.
  let ratios: Row<Float>

  /// For each channel, the memory that receives the output of the gain stage: either the host's
  /// memory or the channel's samples in ``work``.
  let targets: Row<Row<Float>>

  /// The peak magnitude of the samples in each channel's ``targets`` memory, or ``unknownPeak``.
  let peaks: Row<Float>

  let meters: Row<ChannelMeter>

  /// The limits of each channel. The limits are the maximum magnitude of an output sample and the
  /// maximum magnitude of a valid input sample.
  let limits: Row<ChannelLimits>

  /// `count` is the number of frames in the run. `position` is the number of frames that were
  /// rendered before the run.
  let count: Int
  let position: Int64

  /// The current ramp of coefficients and gains: the shape of the ramp, the length in frames, and
  /// the number of frames from the start of the ramp to the start of the run.
  let ramp: RampShape
  let rampLength: Int
  let rampOffset: Int

  /// The channels in which every gain is constant at 0 dB.
  let flat: ChannelSet

  /// The cross-fade between the original input and the processed signal.
  let fade: CrossFade

  /// Whether a headphone correction changes the host's samples.
  var isCorrected = false

  /// The channels that no earlier stage has changed in this run.
  var unchanged: ChannelSet

  /// The channels with invalid input samples. A sample is invalid if it is not finite, or if its
  /// magnitude is too large for real audio.
  var broken = ChannelSet()

  /// A number in ``peaks`` which means that the peak of the channel is unknown. An unknown peak
  /// must be measured.
  static let unknownPeak: Float = -1

  /// A channel's samples in the host's memory, from the first frame of the run. Consecutive samples
  /// are ``stride`` elements apart.
  func hostSamples(_ channel: Int) -> Row<Float> {
    host[channel].from(start &* stride)
  }

  /// Copies a channel's samples from the host's memory to ``work``. Replaces and counts invalid
  /// samples.
  ///
  /// - Returns: the peak magnitude of the valid samples.
  @inline(__always)
  mutating func load(_ channel: Int) -> Float {
    let (peak, isBroken) = copyInput(
      channel, to: workRow(channel), minimum: DenormalGuard.inputFloor,
      filler: DenormalGuard.filler(at: position))
    if _slowPath(isBroken) { recordRejected(channel) }
    return peak
  }

  /// Copies a channel's samples from the host's memory to `target`. Invalid samples and samples
  /// with a magnitude below `minimum` are replaced. The replacement is `filler` or −`filler`, with
  /// a sign that alternates from sample to sample. By default, the replacement is 0.
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

  /// Counts the invalid samples of a channel in the host's memory.
  @inline(never)
  private mutating func recordRejected(_ channel: Int) {
    broken.insert(channel)
    meters[channel].rejectedCount &+= SampleOperations.rejectedCount(
      hostSamples(channel), stride: stride, count: count,
      maximum: limits[channel].rejectionLevel)
  }

  /// The samples of a channel in ``work``.
  func workRow(_ channel: Int) -> Row<Float> {
    work.from(channel &* RenderTiming.chunk)
  }
}
