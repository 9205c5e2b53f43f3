internal import HearingBuffers

/// Limits every channel to the channel's ceiling, with or without look-ahead. Linked channels form
/// a group, and all channels of a group get the same gain. Other channels are limited separately.
/// See ``ChannelLimits/isLinked``.
struct LimiterStage: ~Copyable, RenderStage {
  /// The look-ahead in frames.
  let latency: Int
  private let linksChannels: Bool
  private let isTruePeak: Bool
  private let channelCount: Int

  /// For each channel, whether the previous channel is in the same group.
  private let isLinked: OwnedRow<Bool>

  /// The limiters, one per channel. All channels of a group use the limiter of the group's first
  /// channel.
  private let limiters: OwnedRow<OutputLimiter>

  /// The delay lines, one per channel. Without look-ahead, the row is empty.
  private let delays: OwnedRow<DelayLine>
  /// The envelopes, one per channel. Without look-ahead, the row is empty. The gains of an envelope
  /// fall before a peak leaves the delay line. All channels of a group use the envelope of the
  /// group's first channel.
  private let envelopes: OwnedRow<LookAheadEnvelope>
  /// The interpolators, one per channel. The row is empty if peaks between samples are not limited.
  private let interpolators: OwnedRow<InterSamplePeaks>

  /// The limiter gain of each frame in one run of frames, for the statistics. With look-ahead, the
  /// gain is the product of two gains: the gain with look-ahead, and the gain of the limiter after
  /// the delay.
  private let gains: OwnedRow<Float>

  init(_ configuration: LimiterConfiguration, channelCount: Int, sampleRate: Double) {
    latency = configuration.latency(sampleRate: sampleRate)
    linksChannels = configuration.isLinked
    isLinked = .filled(configuration.isLinked, count: channelCount)
    isTruePeak = configuration.isTruePeak
    self.channelCount = channelCount
    let release = configuration.releaseTime
    limiters = .filled(
      OutputLimiter(sampleRate: sampleRate, releaseTime: release), count: channelCount)
    let (latency, delayedCount) = (latency, latency > 0 ? channelCount : 0)
    let ahead = isTruePeak ? latency - InterSamplePeaks.latency : latency
    delays = OwnedRow(count: delayedCount) { _ in DelayLine(length: latency) }
    envelopes = OwnedRow(count: delayedCount) { _ in
      LookAheadEnvelope(latency: ahead, sampleRate: sampleRate, releaseTime: release)
    }
    interpolators = OwnedRow(count: isTruePeak ? delayedCount : 0) { _ in InterSamplePeaks() }
    gains = .filled(0, count: RenderTiming.chunk)
  }

  mutating func reset() {
    for channel in 0..<channelCount {
      limiters[channel].reset()
      if latency > 0 {
        delays[channel].clear()
        envelopes[channel].clear()
        if isTruePeak { interpolators[channel].clear() }
      }
    }
  }

  /// A channel's limiting statistics since the last reset.
  func statistics(_ channel: Int) -> LimiterStatistics { limiters[channel].statistics }

  mutating func process(_ run: inout RenderRun) {
    if linksChannels && run.rampOffset == 0 { updateGroups(run) }
    var first = 0
    while first < channelCount {
      var end = first + 1
      while end < channelCount && isLinked[end] { end += 1 }
      if latency == 0 && end == first + 1 && !run.fade.isOff {
        limit(run, first)
      } else if latency > 0 || !isIdle(run, first: first, end: end) {
        limit(run, first: first, end: end)
      }
      first = end
    }
  }

  /// Updates the groups of linked channels after new settings. A channel that leaves a group
  /// continues with the gain of the group. Two groups are joined only while the gain of both groups
  /// is 1. Therefore no gain jumps.
  ///
  /// The groups change only at the start of a sub-block (at most 1 ms), so that the output does not
  /// depend on the host's block sizes.
  private func updateGroups(_ run: RenderRun) {
    for channel in 1..<channelCount where run.limits[channel].isLinked != isLinked[channel] {
      let gain = limiters[channel].statistics.gain
      if !isLinked[channel] && min(gain, limiters[channel - 1].statistics.gain) < 1 { continue }
      isLinked[channel].toggle()
      limiters[channel].recover(from: gain)
      if latency > 0 { envelopes[channel].clear() }
    }
  }

  /// Whether a group needs no limiting: no channel of the group exceeds its ceiling, and the gain
  /// of the group has returned to 1.
  private func isIdle(_ run: RenderRun, first: Int, end: Int) -> Bool {
    guard !run.fade.isOff && !limiters[first].isRecovering else { return false }
    for channel in first..<end {
      let peak = run.peaks[channel]
      guard peak >= 0 && peak <= run.limits[channel].ceiling else { return false }
    }
    return true
  }

  /// Limits one channel without look-ahead, in a single pass.
  private func limit(_ run: RenderRun, _ channel: Int) {
    let ceiling = run.limits[channel].ceiling
    guard limiters[channel].isNeeded(peak: run.peaks[channel], ceiling: ceiling) else { return }
    limiters[channel].process(run.targets[channel], count: run.count, ceiling: ceiling)
    run.peaks[channel] = RenderRun.unknownPeak
  }

  /// Limits the channels `first`..<`end` with the same gains.
  @inline(never)
  private func limit(_ run: RenderRun, first: Int, end: Int) {
    let count = run.count
    var isLoud = measure(run, first: first, end: end, between: isTruePeak)
    var isLowered = false
    if latency > 0 {
      // The envelope is also updated while the processor is bypassed, so that the envelope is
      // correct when the bypass ends.
      isLowered = envelopes[first].follow(run.ratios, count: count, isLoud: isLoud)
      for channel in first..<end {
        delays[channel].exchange(run.targets[channel], count: count)
        if isLowered {
          LevelRatio.apply(run.ratios, to: run.targets[channel], count: count)
        }
        run.peaks[channel] = RenderRun.unknownPeak
      }
    }
    if run.fade.isOff {
      for channel in first..<end { limiters[channel].recover() }
      return
    }
    if latency > 0 {
      if isLowered {
        SampleOperations.gather(run.ratios, stride: 1, to: gains.row, count: count)
      }
      isLoud = measure(run, first: first, end: end)
    }
    // With look-ahead, a delayed sample exceeds the ceiling only if the ceiling was lowered while
    // the sample was in the delay line.
    if isLoud || limiters[first].isRecovering {
      limiters[first].follow(run.ratios, count: count)
      for channel in first..<end {
        LevelRatio.apply(
          run.ratios, to: run.targets[channel], count: count,
          ceiling: run.limits[channel].ceiling)
        run.peaks[channel] = RenderRun.unknownPeak
      }
      if isLowered {
        LevelRatio.apply(run.ratios, to: gains.row, count: count)
      } else {
        SampleOperations.gather(run.ratios, stride: 1, to: gains.row, count: count)
      }
      isLowered = true
    }
    var statistics = LimiterStatistics()
    if isLowered { statistics.record(gains.row, count: count) }
    for channel in first..<end {
      limiters[channel].statistics.gain = 1
      limiters[channel].statistics.add(statistics)
    }
  }

  /// Writes one ratio per frame to ``RenderRun/ratios``. The ratio of a channel is the sample
  /// magnitude divided by the channel's ceiling. The ratio of a frame is the maximum ratio of the
  /// channels `first`..<`end`. If `between` is true, the ratios are computed from the peak around
  /// each sample instead of the sample magnitude. With `between`, the ratios are delayed by
  /// ``InterSamplePeaks/latency`` frames.
  ///
  /// - Returns: whether any ratio exceeds 1.
  private func measure(_ run: RenderRun, first: Int, end: Int, between: Bool = false) -> Bool {
    var isLoud = false
    for channel in first..<end {
      let (samples, ceiling) = (run.targets[channel], run.limits[channel].ceiling)
      let (count, ratios, isNext) = (run.count, run.ratios, channel > first)
      let exceeds =
        between
        ? interpolators[channel].measure(
          samples, count: count, ceiling: ceiling, to: ratios, keepsGreater: isNext)
        : LevelRatio.measure(
          samples, count: count, ceiling: ceiling, to: ratios, keepsGreater: isNext) > ceiling
      isLoud = isLoud || exceeds
    }
    return isLoud
  }
}

extension LimiterConfiguration {
  /// The look-ahead in frames at `sampleRate` Hz.
  func latency(sampleRate: Double) -> Int {
    let frames = Int((lookAhead * sampleRate).rounded())
    return isTruePeak ? max(frames, 2 * InterSamplePeaks.latency) : frames
  }
}
