/// Multiplies each channel by its broadband gain, which may be ramped, and writes it to its target.
///
/// Behind the cascade, so that no band's gain raises what the ramp adds to the spectrum.
struct BroadbandGainStage: ~Copyable, RenderStage {
  private let channelCount: Int
  private let ramps: UnsafeMutablePointer<Ramp>

  /// One channel's gain.
  private struct Ramp {
    /// As an amplitude ratio: at the last edge and at the next one.
    var now: Float = 1
    var next: Float = 1
    /// As a logarithm to base 2: at the next edge and at the start of the transition.
    var gain: Float = 0
    var start: Float = 0
  }

  init(channelCount: Int) {
    self.channelCount = channelCount
    ramps = .filled(Ramp(), count: channelCount)
  }

  deinit {
    ramps.deallocate()
  }

  @_noLocks @_noAllocation
  mutating func reset() {}

  /// The gain of a channel at the last edge, as an amplitude ratio.
  func amplitude(_ channel: Int) -> Float { ramps[channel].now }

  @_noLocks @_noAllocation @inline(__always)
  mutating func process(_ run: inout RenderRun) {
    for channel in 0..<channelCount {
      let from = ramps[channel].now
      let slope =
        run.isRamped ? (ramps[channel].next - from) / Float(run.rampLength) : 0
      let peak = SampleGuard.amplify(
        UnsafePointer(run.workRow(channel)), to: run.targets[channel], count: run.count,
        from: from, slope: slope, offset: run.rampOffset)
      run.meters[channel].recordFiltered(peak)
      run.peaks[channel] = peak
    }
    run.unchanged.formIntersection(run.flat)
  }
}

extension BroadbandGainStage: RampedStage {
  @_noLocks @_noAllocation
  mutating func begin(_ slot: UnsafeMutablePointer<SettingsSlot>, _ targets: TargetGains) {
    for channel in 0..<channelCount {
      let settings = slot.pointee.channels + channel
      if settings.pointee.isLevelDependent {
        ramps[channel].gain = targets.broadband[channel]
        ramps[channel].now = Float4(repeating: ramps[channel].gain).powerOfTwo[0]
      } else {
        ramps[channel].gain = settings.pointee.broadbandGain
        ramps[channel].now = settings.pointee.broadband
      }
    }
  }

  @_noLocks @_noAllocation
  mutating func startTransition(_ slot: UnsafeMutablePointer<SettingsSlot>) -> Bool {
    var isChanged = false
    for channel in 0..<channelCount {
      ramps[channel].start = ramps[channel].gain
      isChanged = isChanged || slot.pointee.channels[channel].broadband != ramps[channel].now
    }
    return isChanged
  }

  @_noLocks @_noAllocation
  func greatestChange(
    _ slot: UnsafeMutablePointer<SettingsSlot>, _ targets: TargetGains
  ) -> Float {
    var greatest: Float = 0
    for channel in 0..<channelCount {
      let settings = slot.pointee.channels + channel
      let end =
        settings.pointee.isLevelDependent
        ? targets.broadband[channel] : settings.pointee.broadbandGain
      greatest = max(greatest, abs(end - ramps[channel].start))
    }
    return greatest
  }

  @_noLocks @_noAllocation
  mutating func startRamp(
    to point: TransitionPoint, _ slot: UnsafeMutablePointer<SettingsSlot>, _ targets: TargetGains
  ) {
    for channel in 0..<channelCount {
      let settings = slot.pointee.channels + channel
      let isLevelDependent = settings.pointee.isLevelDependent
      let (start, past) = (ramps[channel].start, targets.pastBroadband[channel])
      let end =
        isLevelDependent
        ? past + (targets.broadband[channel] - past) * point.reach
        : settings.pointee.broadbandGain
      let gain = point.isLast ? end : start + (end - start) * point.share
      ramps[channel].gain = gain
      ramps[channel].next =
        point.isLast && !isLevelDependent
        ? settings.pointee.broadband : Float4(repeating: gain).powerOfTwo[0]
    }
  }

  @_noLocks @_noAllocation
  mutating func finishRamp() {
    for channel in 0..<channelCount { ramps[channel].now = ramps[channel].next }
  }
}
