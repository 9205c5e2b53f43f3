internal import HearingBuffers

/// A section of the signal that the stages of a ``RenderKernel`` process together.
///
/// A run is at most one chunk (256 frames) long. The kernel prepares the run. The stages read the
/// run and store their results in the run.
struct RenderRun: BitwiseCopyable {
  /// The location of the run in the host's memory. The property `host` has one row per channel. The
  /// property `start` is the index of the run's first frame in the block. The property `stride` is
  /// the distance in elements between consecutive frames.
  let host: Row<Row<Float>>
  let start: Int
  let stride: Int

  /// The samples that stages pass to each other, `[channel][frame]`, with 256 frames per channel.
  /// If the number of channels is odd, a silent channel follows the last channel.
  let work: Row<Float>

  /// Memory for a limiter, one value per frame. At first, the values are sample magnitudes divided
  /// by the ceiling. Later, the values are the gains for the samples.
  let ratios: Row<Float>

  /// For each channel, the memory that receives the output of the gain stage: either the host's
  /// memory or the channel's samples in ``work``.
  let targets: Row<Row<Float>>

  /// The peak magnitude of the samples in each channel's ``targets`` memory, or ``unknownPeak``.
  let peaks: Row<Float>

  let meters: Row<ChannelMeter>

  /// For each channel, the maximum magnitudes of output samples and of valid input samples.
  let limits: Row<ChannelLimits>

  /// `count` is the number of frames in the run. `position` is the number of frames that were
  /// rendered before the run.
  let count: Int
  let position: Int64

  /// The current ramp of coefficients and gains: the shape of the ramp, the length in frames, and
  /// the number of frames since the start of the ramp.
  let ramp: RampShape
  let rampLength: Int
  let rampOffset: Int

  /// The channels whose gains are all constant at 0 dB.
  let flat: ChannelSet

  /// The cross-fade between the original input and the processed signal.
  let fade: CrossFade

  /// Whether a headphone correction changes the host's samples.
  var isCorrected = false

  /// The channels that no earlier stage has changed in this run.
  var unchanged: ChannelSet

  /// The channels with invalid input samples: not finite, or too large for real audio.
  var broken = ChannelSet()

  /// The value in ``peaks`` for an unknown peak. An unknown peak must be measured.
  static let unknownPeak: Float = -1

  /// A channel's samples in the host's memory, from the first frame of the run. The samples are
  /// ``stride`` elements apart.
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
  /// with a magnitude below `minimum` become 0, or ±`filler` if `filler` is not 0.
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
