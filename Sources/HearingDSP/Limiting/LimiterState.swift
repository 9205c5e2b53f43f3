/// What limiting needs beside each channel's own limiter: delays, envelopes and room to work in.
///
/// A value of pointers; whoever creates it calls `deallocate()`.
struct LimiterState {
  /// Frames of look-ahead.
  let latency: Int
  let isLinked: Bool
  /// Channels that have delays.
  private let channelCount: Int

  /// Sound to be limited, and untouched sound, `[channel]`; only with look-ahead.
  let wet: UnsafeMutablePointer<DelayLine>
  let dry: UnsafeMutablePointer<DelayLine>
  /// `[channel]`; the first serves all if linked. Only with look-ahead.
  let envelopes: UnsafeMutablePointer<LookAheadEnvelope>

  /// Of one run: how many times the ceiling samples are, or the gains that follow.
  let ratios: UnsafeMutablePointer<Float>
  let gains: UnsafeMutablePointer<Float>
  /// Of one run and one channel: what comes out if nothing is processed.
  let untouched: UnsafeMutablePointer<Float>

  /// Whether each channel is limited as it is delivered, without any of this.
  var isPlain: Bool {
    @_noLocks @_noAllocation @inline(__always) get { latency == 0 && !isLinked }
  }

  /// - Parameter run: the greatest number of samples that are limited at once.
  init(
    _ configuration: LimiterConfiguration, channelCount: Int, sampleRate: Double, run: Int
  ) {
    latency = configuration.latency(sampleRate: sampleRate)
    isLinked = configuration.isLinked
    self.channelCount = latency > 0 ? channelCount : 0
    wet = .allocate(capacity: channelCount)
    dry = .allocate(capacity: channelCount)
    envelopes = .allocate(capacity: channelCount)
    for channel in 0..<self.channelCount {
      (wet + channel).initialize(to: DelayLine(length: latency))
      (dry + channel).initialize(to: DelayLine(length: latency))
      (envelopes + channel).initialize(
        to: LookAheadEnvelope(latency: latency, sampleRate: sampleRate))
    }
    ratios = .filled(0, count: run)
    gains = .filled(0, count: run)
    untouched = .filled(0, count: run)
  }

  func deallocate() {
    for channel in 0..<channelCount {
      wet[channel].deallocate()
      dry[channel].deallocate()
      envelopes[channel].deallocate()
    }
    wet.deallocate()
    dry.deallocate()
    envelopes.deallocate()
    ratios.deallocate()
    gains.deallocate()
    untouched.deallocate()
  }

  /// Forgets the sound heard so far.
  @_noLocks @_noAllocation
  func clear() {
    for channel in 0..<channelCount {
      wet[channel].clear()
      dry[channel].clear()
      envelopes[channel].clear()
    }
  }
}
