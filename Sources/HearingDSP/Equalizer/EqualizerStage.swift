internal import HearingBuffers

/// The cascade of shelves and bells of every channel, static or ramped.
struct EqualizerStage: ~Copyable, RenderStage {
  private let shape: ProcessorShape

  /// `[channel][vector]`, with a silent last channel if their number is odd.
  private let sections: OwnedRow<SectionStates>
  private let ramps: OwnedRow<SectionRamp>

  /// The frequencies and widths of the sections, `[vector]`, the same for every channel.
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

  @inline(__always)
  mutating func process(_ run: inout RenderRun) {
    let vectors = shape.vectorsPerChannel
    var channel = 0
    while channel < shape.channelCount {
      let left = CascadeSections(
        sections.from(channel &* vectors), ramps: ramps.from(channel &* vectors))
      Cascade.run(
        vectors: vectors, ramp: run.ramp, isPair: channel + 1 < shape.channelCount,
        left: run.workRow(channel), right: run.workRow(channel + 1), count: run.count,
        leftSections: left, rightSections: left + vectors)
      channel += 2
    }
    run.unchanged.formIntersection(run.flat)
  }

  /// Called at a chunk edge. Flushes denormals, and clears a channel that is silent or whose state
  /// is not finite.
  @inline(__always)
  func endChunk(_ channel: Int, isSilent: Bool) {
    let own = sections.from(channel * shape.vectorsPerChannel)
    var isFinite = true
    for vector in 0..<shape.vectorsPerChannel {
      own[vector].flush()
      isFinite = isFinite && own[vector].isFinite
    }
    guard isSilent || !isFinite else { return }
    for vector in 0..<shape.vectorsPerChannel { own[vector].clear() }
  }
}

extension EqualizerStage: RampedStage {
  mutating func begin(_ slot: Row<SettingsSlot>, _ targets: TargetGains) {
    for channel in 0..<shape.channelCount {
      let isLevelDependent = slot[0].channels[channel].isLevelDependent
      let base = channel * shape.vectorsPerChannel
      for vector in base..<base + shape.vectorsPerChannel {
        let target =
          isLevelDependent
          ? target(vector - base, gain: targets.sections[vector]) : slot[0].sections[vector]
        sections[vector].now = target.coefficients
        ramps[vector].next = target
        ramps[vector].base = target.gain
      }
    }
  }

  func differs(from slot: Row<SettingsSlot>) -> Bool {
    for vector in 0..<shape.channelCount * shape.vectorsPerChannel
    where sections[vector].now.differs(from: slot[0].sections[vector].coefficients) {
      return true
    }
    return false
  }

  func greatestChange(
    _ slot: Row<SettingsSlot>, _ targets: TargetGains, reach: Float
  ) -> Float {
    var greatest = Float4.zero
    for index in 0..<shape.channelCount * shape.vectorsPerChannel {
      let end = end(slot, targets, index, reach: reach)
      let jump = (end - ramps[index].base).magnitude
      greatest = greatest.replacing(with: jump, where: jump .> greatest)
      let way = (end - ramps[index].next.gain).magnitude
      greatest = greatest.replacing(with: way, where: way .> greatest)
    }
    return 2 * max(max(greatest[0], greatest[1]), max(greatest[2], greatest[3]))
  }

  mutating func startTransition(
    _ slot: Row<SettingsSlot>, _ targets: TargetGains, _ restart: MotionRestart
  ) {
    for index in 0..<shape.channelCount * shape.vectorsPerChannel {
      let end = end(slot, targets, index, reach: restart.reach)
      ramps[index].motion.restart(restart, change: end - ramps[index].base)
      ramps[index].base = end
      ramps[index].anchor = end
    }
  }

  mutating func startRamp(
    to point: TransitionPoint, _ slot: Row<SettingsSlot>, _ targets: TargetGains
  ) {
    let stride = 1 / Float(point.frames)
    let ramps = ramps.row
    for channel in 0..<shape.channelCount {
      let isLevelDependent = slot[0].channels[channel].isLevelDependent
      let base = channel * shape.vectorsPerChannel
      for vector in base..<base + shape.vectorsPerChannel {
        ramps[vector].last = ramps[vector].next.coefficients
        if !point.isWaiting {
          let end = end(slot, targets, vector, reach: point.reach)
          let anchor = ramps[vector].anchor
          ramps[vector].base = point.time == nil ? end : anchor + (end - anchor) * point.rise
        }
        if let time = point.time {
          let gain = ramps[vector].base + ramps[vector].motion.distance(at: time)
          ramps[vector].next = target(vector - base, gain: gain)
        } else if isLevelDependent || point.isWaiting {
          ramps[vector].next = target(vector - base, gain: ramps[vector].base)
        } else {
          ramps[vector].next = slot[0].sections[vector]
        }
        ramps[vector].start(point.ramp, from: sections[vector].now, share: stride)
      }
    }
  }

  /// The target of a vector of sections, `[channel][vector]`, after the part `reach` of the window.
  @inline(__always)
  private func end(
    _ slot: Row<SettingsSlot>, _ targets: TargetGains, _ index: Int,
    reach: Float
  ) -> Float4 {
    let channel = index / shape.vectorsPerChannel
    guard slot[0].channels[channel].isLevelDependent else {
      return slot[0].sections[index].gain
    }
    let past = targets.pastSections[index]
    return past + (targets.sections[index] - past) * reach
  }

  mutating func finishRamp(_ shape: RampShape) {
    for vector in 0..<self.shape.channelCount * self.shape.vectorsPerChannel {
      sections[vector].now = ramps[vector].end(shape)
    }
  }

  /// The target of `vector` at `gain`, the same for every channel.
  @inline(__always)
  private func target(_ vector: Int, gain: Float4) -> SectionTargets {
    SectionTargets(gain: gain, coefficients: layouts[vector].coefficients(gain: gain))
  }
}
