/// Brings what the cascades made of a run to the output where channels are limited together or
/// later: through delays and shared gains.
///
/// The untouched sound is delayed as much as the processed one, so that both are always in step:
/// while fading, and when the processor is disabled.
enum JointDelivery {
  /// Delivers a run of every channel.
  @_noLocks @_noAllocation
  static func deliver(
    _ state: UnsafeMutablePointer<RenderState>,
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, from start: Int, count: Int,
    stride: Int, fadeStart: Int
  ) {
    let channelCount = state.pointee.shape.channelCount
    let isBypassed = !state.pointee.isEnabled && fadeStart == 0
    for channel in 0..<channelCount {
      prepare(state, channel, channels[channel] + start * stride, count: count, stride: stride)
    }
    if state.pointee.limiting.isLinked {
      limit(state, first: 0, end: channelCount, count: count, isBypassed: isBypassed)
    } else {
      for channel in 0..<channelCount {
        limit(state, first: channel, end: channel + 1, count: count, isBypassed: isBypassed)
      }
    }
    for channel in 0..<channelCount {
      let samples = channels[channel] + start * stride
      finish(state, channel, samples, count: count, stride: stride, fadeStart: fadeStart)
    }
  }

  /// Makes what is to be limited ready in `wet`.
  @_noLocks @_noAllocation @inline(__always)
  private static func prepare(
    _ state: UnsafeMutablePointer<RenderState>, _ channel: Int,
    _ samples: UnsafeMutablePointer<Float>, count: Int, stride: Int
  ) {
    let own = state.pointee.channels + channel
    let wet = state.pointee.wet + channel * RenderTiming.chunk
    _ = ChannelPass.amplify(state, channel, to: wet, count: count)
    guard own.pointee.settings.isFlat && state.pointee.isSettled else { return }
    var source = UnsafePointer(samples)
    if stride != 1 {
      SampleGuard.gather(source, stride: stride, to: wet, count: count)
      source = UnsafePointer(wet)
    }
    SampleGuard.copy(
      source, to: wet, count: count, least: 0, most: own.pointee.settings.plausible)
  }

  /// Limits channels `first`..<`end` in `wet` by the gains that they share.
  @_noLocks @_noAllocation
  private static func limit(
    _ state: UnsafeMutablePointer<RenderState>, first: Int, end: Int, count: Int,
    isBypassed: Bool
  ) {
    let limiting = state.pointee.limiting
    let (ratios, gains) = (limiting.ratios, limiting.gains)
    var isLoud = measure(state, first: first, end: end, count: count)
    var isLowered = false
    if limiting.latency > 0 {
      // It goes on while nothing is processed, so that it is ready when something is.
      isLowered = LookAheadEnvelope.follow(
        limiting.envelopes + first, ratios, count: count, isLoud: isLoud)
      for channel in first..<end {
        let wet = state.pointee.wet + channel * RenderTiming.chunk
        limiting.wet[channel].exchange(wet, count: count)
        if isLowered { LevelRatio.apply(UnsafePointer(ratios), to: wet, count: count) }
      }
    }
    let channels = state.pointee.channels
    if isBypassed {
      for channel in first..<end { channels[channel].limiter.recover() }
      return
    }
    if limiting.latency > 0 {
      if isLowered { SampleGuard.gather(UnsafePointer(ratios), stride: 1, to: gains, count: count) }
      isLoud = measure(state, first: first, end: end, count: count)
    }
    // Whatever look-ahead has left above the ceiling: a ceiling that fell since, and no more.
    if isLoud || channels[first].limiter.isRecovering {
      OutputLimiter.follow(&channels[first].limiter, ratios, count: count)
      for channel in first..<end {
        LevelRatio.apply(
          UnsafePointer(ratios), to: state.pointee.wet + channel * RenderTiming.chunk,
          count: count, ceiling: channels[channel].settings.ceiling)
      }
      if isLowered {
        LevelRatio.apply(UnsafePointer(ratios), to: gains, count: count)
      } else {
        SampleGuard.gather(UnsafePointer(ratios), stride: 1, to: gains, count: count)
      }
      isLowered = true
    }
    for channel in first..<end {
      if isLowered {
        channels[channel].limiter.work.record(UnsafePointer(gains), count: count)
      } else {
        channels[channel].limiter.work.gain = 1
      }
    }
  }

  /// How many times the ceiling the loudest channel is, to `ratios`; whether any sample exceeds it.
  @_noLocks @_noAllocation @inline(__always)
  private static func measure(
    _ state: UnsafeMutablePointer<RenderState>, first: Int, end: Int, count: Int
  ) -> Bool {
    var isLoud = false
    for channel in first..<end {
      let ceiling = state.pointee.channels[channel].settings.ceiling
      let peak = LevelRatio.measure(
        state.pointee.wet + channel * RenderTiming.chunk, count: count, ceiling: ceiling,
        to: state.pointee.limiting.ratios, isMore: channel > first)
      isLoud = isLoud || peak > ceiling
    }
    return isLoud
  }

  /// Brings a channel to the output: limited, faded in or out, or untouched.
  @_noLocks @_noAllocation @inline(__always)
  private static func finish(
    _ state: UnsafeMutablePointer<RenderState>, _ channel: Int,
    _ samples: UnsafeMutablePointer<Float>, count: Int, stride: Int, fadeStart: Int
  ) {
    let own = state.pointee.channels + channel
    let wet = state.pointee.wet + channel * RenderTiming.chunk
    let untouched = state.pointee.limiting.untouched
    let isFading = fadeStart < state.pointee.timing.fadeFrames || !state.pointee.isEnabled
    let isDelayed = state.pointee.limiting.latency > 0
    if isDelayed || isFading {
      SampleGuard.gather(UnsafePointer(samples), stride: stride, to: untouched, count: count)
    }
    if isDelayed { state.pointee.limiting.dry[channel].exchange(untouched, count: count) }
    if !state.pointee.isEnabled && fadeStart == 0 {
      if isDelayed {
        SampleGuard.scatter(UnsafePointer(untouched), to: samples, stride: stride, count: count)
      }
      own.pointee.outputPeak = max(own.pointee.outputPeak, own.pointee.inputPeak)
      return
    }
    if isFading {
      ChannelPass.fade(
        state, wet, UnsafePointer(untouched), count: count, stride: 1, fadeStart: fadeStart,
        own.pointee.settings)
    }
    SampleGuard.scatter(UnsafePointer(wet), to: samples, stride: stride, count: count)
    own.pointee.outputPeak = max(own.pointee.outputPeak, SampleGuard.peak(wet, count: count))
  }
}
