internal import HearingBuffers

/// Multiplies each channel by the broadband gain of the channel, and writes the result to the
/// output memory of the channel. The gain may change from sample to sample.
///
/// A gain ramp creates side bands in the spectrum. The broadband gain is applied after the filter
/// sections of the ``Cascade``, so that the sections do not amplify these side bands.
struct BroadbandGainStage: ~Copyable, RenderStage {
  private let channelCount: Int
  private let ramps: OwnedRow<Ramp>

  /// The gain ramp of one channel.
  struct Ramp {
    /// The gain at the start of the current ramp, as an amplitude ratio.
    var now: Float = 1
    /// The target gain of the previous ramp, as an amplitude ratio.
    var last: Float = 1
    /// The target gain of the current ramp, as an amplitude ratio.
    var next: Float = 1
    /// The target gain of the current ramp, as a logarithm to base 2.
    var gain: Float = 0
    var motion = GainMotion()
  }

  init(channelCount: Int) {
    self.channelCount = channelCount
    ramps = .filled(Ramp(), count: channelCount)
  }

  mutating func reset() {}

  /// The gain of a channel at the start of the current ramp, as an amplitude ratio.
  func amplitude(_ channel: Int) -> Float { ramps[channel].now }

  mutating func process(_ run: inout RenderRun) {
    for channel in 0..<channelCount {
      let from = ramps[channel].now
      let (slope, bend) = slopes(channel, run)
      let peak = SampleOperations.amplify(
        run.workRow(channel), to: run.targets[channel], count: run.count,
        from: from, slope: slope, bend: bend, offset: run.rampOffset,
        minimum: DenormalGuard.outputFloor)
      run.meters[channel].recordFiltered(peak)
      run.peaks[channel] = peak
      if _slowPath(!(peak <= .greatestFiniteMagnitude)) {
        // If the peak is not finite, a filter state has overflowed. ``EqualizerStage`` clears the
        // filter state at the end of the chunk of 256 frames.
        run.peaks[channel] =
          SampleOperations.copy(
            run.targets[channel], to: run.targets[channel], count: run.count,
            minimum: 0, maximum: .greatestFiniteMagnitude
          ).peak
      }
    }
    run.unchanged.formIntersection(run.flat)
  }

  /// Returns two coefficients of a channel's gain ramp. The first coefficient is the slope per
  /// sample at the start of the ramp. The second coefficient is half of the change of the slope per
  /// sample.
  private func slopes(_ channel: Int, _ run: RenderRun) -> (Float, Float) {
    if run.ramp.isNone { return (0, 0) }
    let ramp = ramps[channel]
    let perFrame = 1 / Float(run.rampLength)
    guard run.ramp.isCurved else { return ((ramp.next - ramp.now) * perFrame, 0) }
    let start = 2 * (ramp.last - ramp.now) * perFrame
    let end = (ramp.next - ramp.last) * perFrame
    return (start, 0.5 * (end - start) * perFrame)
  }
}

// After new settings have been applied, a ``GainTransition`` changes the gains smoothly to the new
// target gains. After the transition, level-dependent gains follow the input level.
extension BroadbandGainStage {
  /// Applies the broadband gains of the first settings without a transition.
  mutating func begin(_ slot: Row<SettingsSlot>, _ targets: TargetGains) {
    for channel in 0..<channelCount {
      if slot[0].compressor.channels.contains(channel) {
        ramps[channel].gain = targets.broadband[channel]
        ramps[channel].now = Float4(repeating: ramps[channel].gain).powerOfTwo[0]
      } else {
        ramps[channel].gain = slot[0].broadband[channel].octaves
        ramps[channel].now = slot[0].broadband[channel].amplitude
      }
      ramps[channel].motion.begin(at: Float4(repeating: ramps[channel].gain))
      ramps[channel].last = ramps[channel].now
    }
  }

  /// Whether `slot` contains a broadband gain that differs from the current gain of its channel.
  func differs(from slot: Row<SettingsSlot>) -> Bool {
    for channel in 0..<channelCount
    where slot[0].broadband[channel].amplitude != ramps[channel].now {
      return true
    }
    return false
  }

  /// The maximum gain change of a transition to new target gains, as the logarithm to base 2 of an
  /// amplitude ratio.
  func maximumChange(
    _ slot: Row<SettingsSlot>, _ targets: TargetGains, windowProgress: Float
  ) -> Float {
    var maximum: Float = 0
    for channel in 0..<channelCount {
      let end = end(slot, targets, channel, windowProgress: windowProgress)
      let distance = max(abs(end - ramps[channel].motion.target[0]), abs(end - ramps[channel].gain))
      maximum = max(maximum, distance)
    }
    return maximum
  }

  /// Starts a transition of the broadband gains to new target gains.
  mutating func startTransition(
    _ slot: Row<SettingsSlot>, _ targets: TargetGains, _ restart: MotionRestart
  ) {
    for channel in 0..<channelCount {
      let end = end(slot, targets, channel, windowProgress: restart.windowProgress)
      ramps[channel].motion.restart(restart, to: Float4(repeating: end))
    }
  }

  /// Starts the gain ramps of all channels. The ramps end at the transition point `point`.
  mutating func startRamp(
    to point: TransitionPoint, _ slot: Row<SettingsSlot>, _ targets: TargetGains
  ) {
    for channel in 0..<channelCount {
      let end = end(slot, targets, channel, windowProgress: point.windowProgress)
      let gain = ramps[channel].motion.gains(at: point, to: Float4(repeating: end))
      ramps[channel].gain = gain[0]
      let isFixed =
        !slot[0].compressor.channels.contains(channel) && !point.isWaiting && point.time == nil
      ramps[channel].next =
        isFixed ? slot[0].broadband[channel].amplitude : gain.powerOfTwo[0]
    }
  }

  /// The target gain of a channel at a point in time within the current window, as a logarithm to
  /// base 2. The parameter `windowProgress` is the elapsed fraction of the window, 0…1.
  private func end(
    _ slot: Row<SettingsSlot>, _ targets: TargetGains, _ channel: Int,
    windowProgress: Float
  ) -> Float {
    guard slot[0].compressor.channels.contains(channel) else {
      return slot[0].broadband[channel].octaves
    }
    let past = targets.pastBroadband[channel]
    return past + (targets.broadband[channel] - past) * windowProgress
  }

  /// Sets the gain of every channel to the exact gain at the end of its ramp.
  mutating func finishRamp(_ shape: RampShape) {
    for channel in 0..<channelCount {
      let (last, next) = (ramps[channel].last, ramps[channel].next)
      ramps[channel].now = shape.isCurved ? (last + next) * 0.5 : next
      ramps[channel].last = next
    }
  }
}
