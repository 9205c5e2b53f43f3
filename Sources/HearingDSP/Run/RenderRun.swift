/// One run of sound on its way through the stages of a ``RenderKernel``.
///
/// At most one chunk long. A value of pointers and numbers: the kernel prepares it, stages read it and
/// add what they find out.
struct RenderRun: BitwiseCopyable {
  /// The host's channels, the run's first frame in them, and the distance between frames.
  let host: UnsafePointer<UnsafeMutablePointer<Float>>
  let start: Int
  let stride: Int

  /// Samples on their way, `[channel][chunk]`, with a silent last channel if their number is odd.
  let work: UnsafeMutablePointer<Float>

  /// Where the gain stage writes each channel: the host's samples or the channel's work row.
  let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  /// The greatest magnitude of each channel's target, or ``unknownPeak``.
  let peaks: UnsafeMutablePointer<Float>

  let meters: UnsafeMutablePointer<ChannelMeter>

  /// The settings in force, `[channel]`.
  let settings: UnsafePointer<ChannelSettings>

  /// Frames in the run, and those rendered before it.
  let count: Int
  let position: Int

  /// Frames of the ramp under way, 0 while everything is static, and those of it that are over.
  let rampLength: Int
  let rampOffset: Int

  /// Whether gains have arrived at the settings, or at what these make of the levels.
  let isSettled: Bool

  let fade: BypassFade

  /// Channels that no stage has changed so far.
  var unchanged: ChannelSet

  /// Channels with samples that are not finite or implausibly large.
  var broken = ChannelSet()

  /// Stands for a peak that has to be measured again.
  static var unknownPeak: Float {
    @_noLocks @_noAllocation @inline(__always) get { -1 }
  }

  var isRamped: Bool {
    @_noLocks @_noAllocation @inline(__always) get { rampLength > 0 }
  }

  /// A channel's first sample of the run in the host's memory; the next are ``stride`` apart.
  @_noLocks @_noAllocation @inline(__always)
  func hostSamples(_ channel: Int) -> UnsafeMutablePointer<Float> {
    host[channel] + start * stride
  }

  /// A channel's work row.
  @_noLocks @_noAllocation @inline(__always)
  func workRow(_ channel: Int) -> UnsafeMutablePointer<Float> {
    work + channel * RenderTiming.chunk
  }
}

/// Some of the channels of a stream, of which there are at most eight.
struct ChannelSet: BitwiseCopyable {
  private var bits: UInt8 = 0

  /// No channel.
  @_noLocks @_noAllocation @inline(__always)
  init() {}

  /// Channels 0..<`count`.
  @_noLocks @_noAllocation @inline(__always)
  init(count: Int) {
    bits = UInt8(truncatingIfNeeded: (1 &<< count) &- 1)
  }

  @_noLocks @_noAllocation @inline(__always)
  func contains(_ channel: Int) -> Bool {
    bits & (1 &<< UInt8(truncatingIfNeeded: channel)) != 0
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func insert(_ channel: Int) {
    bits |= 1 &<< UInt8(truncatingIfNeeded: channel)
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func remove(_ channel: Int) {
    bits &= ~(1 &<< UInt8(truncatingIfNeeded: channel))
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func formUnion(_ other: ChannelSet) {
    bits |= other.bits
  }

  var isEmpty: Bool {
    @_noLocks @_noAllocation @inline(__always) get { bits == 0 }
  }
}
