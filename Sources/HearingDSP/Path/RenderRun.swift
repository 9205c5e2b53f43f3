internal import HearingBuffers

/// One run of sound on its way through the stages of a ``RenderKernel``.
///
/// It is at most one chunk long. The kernel prepares it; stages read it and add their results.
struct RenderRun: BitwiseCopyable {
  /// The host's channels, the run's first frame in them, and the distance between frames.
  let host: Row<Row<Float>>
  let start: Int
  let stride: Int

  /// Samples between stages, `[channel][chunk]`, with a silent last channel if their number is odd.
  let work: Row<Float>

  /// Where the gain stage writes each channel: the host's samples or the channel's work row.
  let targets: Row<Row<Float>>

  /// The greatest magnitude of each channel's target, or ``unknownPeak``.
  let peaks: Row<Float>

  let meters: Row<ChannelMeter>

  /// The settings in force, `[channel]`.
  let settings: Row<ChannelSettings>

  /// The number of frames in the run, and of those rendered before it.
  let count: Int
  let position: Int64

  /// How coefficients and gains move, the length of the current ramp in frames, and its elapsed frames.
  let ramp: RampShape
  let rampLength: Int
  let rampOffset: Int

  /// Channels whose gains have settled at 0 dB.
  let flat: ChannelSet

  let fade: BypassFade

  /// Channels that no stage has changed so far.
  var unchanged: ChannelSet

  /// Channels with samples that are not finite or implausibly large.
  var broken = ChannelSet()

  /// A run of `count` frames, `start` frames into a block of the host.
  @inline(__always)
  init(
    _ memory: borrowing RunMemory, start: Int, stride: Int, count: Int, position: Int64,
    settings: Row<ChannelSettings>,
    ramp: RampShape, rampLength: Int, rampOffset: Int, flat: ChannelSet, fade: BypassFade
  ) {
    host = memory.host.row
    self.start = start
    self.stride = stride
    work = memory.work.row
    targets = memory.targets.row
    peaks = memory.peaks.row
    meters = memory.meters.row
    self.settings = settings
    self.count = count
    self.position = position
    self.ramp = ramp
    self.rampLength = rampLength
    self.rampOffset = rampOffset
    self.flat = flat
    self.fade = fade
    unchanged = memory.allChannels
  }

  /// The value of a peak that has to be measured again.
  static let unknownPeak: Float = -1

  /// A channel's first sample of the run in the host's memory; the next are ``stride`` apart.
  @inline(__always)
  func hostSamples(_ channel: Int) -> Row<Float> {
    host[channel].from(start &* stride)
  }

  /// Records that invalid host samples of a channel were replaced by 0, and counts them.
  @inline(never)
  mutating func recordRejected(_ channel: Int) {
    broken.insert(channel)
    meters[channel].rejectedCount &+= SampleOperations.rejectedCount(
      hostSamples(channel), stride: stride, count: count,
      most: settings[channel].rejectionLevel)
  }

  /// A channel's work row.
  @inline(__always)
  func workRow(_ channel: Int) -> Row<Float> {
    work.from(channel &* RenderTiming.chunk)
  }
}
