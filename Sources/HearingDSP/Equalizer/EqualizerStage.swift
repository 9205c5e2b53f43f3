internal import HearingBuffers

/// Filters every channel with a cascade of shelves and bells. The coefficients are constant or
/// change from sample to sample.
struct EqualizerStage: ~Copyable, RenderStage {
  private let shape: ProcessorShape

  /// The states of the filter sections, `[channel][vector]`. A vector contains four sections. If
  /// the number of channels is odd, a silent channel is added, because channels are processed in
  /// pairs.
  private let sections: OwnedRow<SectionStates>
  /// The coefficient ramps of the filter sections, `[channel][vector]`. A vector contains four
  /// sections.
  private let ramps: OwnedRow<SectionRamp>

  /// The frequencies and widths of the filter sections, `[vector]`. A vector contains four
  /// sections. All channels have the same frequencies and widths.
  private let layouts: OwnedRow<SectionLayout>

  init(shape: ProcessorShape, plan: SectionPlan) {
    self.shape = shape
    let count = shape.pairedChannelCount * shape.vectorsPerChannel
    sections = .filled(SectionStates(), count: count)
    ramps = .filled(SectionRamp(), count: count)
    layouts = .filled(SectionLayout(), count: shape.vectorsPerChannel)
    SectionLayout.write(plan, to: layouts.row)
  }

  mutating func reset() {
    for vector in 0..<shape.pairedChannelCount * shape.vectorsPerChannel {
      sections[vector].clear()
    }
  }

  mutating func process(_ run: inout RenderRun) {
    let vectors = shape.vectorsPerChannel
    for channel in stride(from: 0, to: shape.channelCount, by: 2) {
      Cascade.run(
        vectors: vectors, ramp: run.ramp, cascade(channel, run), cascade(channel + 1, run),
        count: run.count)
    }
    run.unchanged.formIntersection(run.flat)
  }

  private func cascade(_ channel: Int, _ run: RenderRun) -> CascadeChannel {
    let first = channel &* shape.vectorsPerChannel
    return CascadeChannel(
      samples: run.workRow(channel), states: sections.from(first), ramps: ramps.from(first))
  }

  /// Clears the state of the sections if the channel is silent, or if the state is not finite.
  /// Called at the end of a chunk of 256 frames.
  func endChunk(_ channel: Int, isSilent: Bool) {
    let states = sections.from(channel * shape.vectorsPerChannel)
    var isFinite = true
    for vector in 0..<shape.vectorsPerChannel {
      isFinite = isFinite && states[vector].isFinite
    }
    guard isSilent || !isFinite else { return }
    for vector in 0..<shape.vectorsPerChannel { states[vector].clear() }
  }
}

// After new settings have been applied, a ``GainTransition`` changes the gains smoothly to the new
// target gains. After the transition, level-dependent gains follow the input level.
extension EqualizerStage {
  /// Applies the section gains of the first settings without a transition.
  mutating func begin(_ slot: Row<SettingsSlot>, _ targets: TargetGains) {
    for channel in 0..<shape.channelCount {
      let isLevelDependent = slot[0].compressor.channels.contains(channel)
      let base = channel * shape.vectorsPerChannel
      for vector in base..<base + shape.vectorsPerChannel {
        let target =
          isLevelDependent
          ? target(vector - base, gain: targets.sections[vector])
          : slot[0].sections[vector]
        sections[vector].now = target.coefficients
        ramps[vector].next = target
        ramps[vector].motion.begin(at: target.gain)
      }
    }
  }

  /// Whether the filter coefficients in `slot` differ from the current filter coefficients.
  func differs(from slot: Row<SettingsSlot>) -> Bool {
    for vector in 0..<shape.channelCount * shape.vectorsPerChannel
    where sections[vector].now.differs(from: slot[0].sections[vector].coefficients) {
      return true
    }
    return false
  }

  /// The maximum gain change of a transition to new target gains, as the logarithm to base 2 of an
  /// amplitude ratio.
  func maximumChange(
    _ slot: Row<SettingsSlot>, _ targets: TargetGains, windowProgress: Float
  ) -> Float {
    var maximum = Float4.zero
    for index in 0..<shape.channelCount * shape.vectorsPerChannel {
      let end = end(slot, targets, index, windowProgress: windowProgress)
      maximum = maximum.larger((end - ramps[index].motion.target).magnitude)
      maximum = maximum.larger((end - ramps[index].next.gain).magnitude)
    }
    return 2 * maximum.largest
  }

  /// Starts a transition of the section gains to new target gains.
  mutating func startTransition(
    _ slot: Row<SettingsSlot>, _ targets: TargetGains, _ restart: MotionRestart
  ) {
    for index in 0..<shape.channelCount * shape.vectorsPerChannel {
      let end = end(slot, targets, index, windowProgress: restart.windowProgress)
      ramps[index].motion.restart(restart, to: end)
    }
  }

  /// Starts the coefficient ramps of all filter sections. The ramps lead to the transition point
  /// `point`.
  mutating func startRamp(
    to point: TransitionPoint, _ slot: Row<SettingsSlot>, _ targets: TargetGains
  ) {
    let scale = 1 / Float(point.frames)
    let ramps = ramps.row
    for channel in 0..<shape.channelCount {
      let isLevelDependent = slot[0].compressor.channels.contains(channel)
      let base = channel * shape.vectorsPerChannel
      for vector in base..<base + shape.vectorsPerChannel {
        ramps[vector].last = ramps[vector].next.coefficients
        let end = end(slot, targets, vector, windowProgress: point.windowProgress)
        let gain = ramps[vector].motion.gains(at: point, to: end)
        ramps[vector].next =
          point.time == nil && !isLevelDependent && !point.isWaiting
          ? slot[0].sections[vector] : target(vector - base, gain: gain)
        ramps[vector].start(point.ramp, from: sections[vector].now, scale: scale)
      }
    }
  }

  /// The target gains of four sections at a point in time within the current window (at most 2 ms).
  /// The parameter `windowProgress` is the elapsed fraction of the window, 0…1. The parameter
  /// `index` counts the vectors of all channels, starting with channel 0.
  @inline(__always)
  private func end(
    _ slot: Row<SettingsSlot>, _ targets: TargetGains, _ index: Int,
    windowProgress: Float
  ) -> Float4 {
    let channel = index / shape.vectorsPerChannel
    guard slot[0].compressor.channels.contains(channel) else {
      return slot[0].sections[index].gain
    }
    let past = targets.pastSections[index]
    return past + (targets.sections[index] - past) * windowProgress
  }

  /// Sets all filter coefficients to the exact coefficients at the end of their ramps.
  mutating func finishRamp(_ shape: RampShape) {
    for vector in 0..<self.shape.channelCount * self.shape.vectorsPerChannel {
      sections[vector].now = ramps[vector].end(shape)
    }
  }

  /// The target gains and target coefficients of four sections with the gains `gain`. The parameter
  /// `vector` is the index of the vector within a channel. A vector contains four sections.
  @inline(__always)
  private func target(_ vector: Int, gain: Float4) -> SectionTargets {
    SectionTargets(gain: gain, coefficients: layouts[vector].coefficients(gain: gain))
  }
}
