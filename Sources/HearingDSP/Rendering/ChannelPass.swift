/// One channel's way into the cascade and out of it.
enum ChannelPass {
  /// Copies a run of input to `wet`, without what is no sound, and to where it is measured, if it is.
  @_noLocks @_noAllocation @inline(__always)
  static func receive(
    _ state: UnsafeMutablePointer<RenderState>, _ channel: Int,
    _ samples: UnsafeMutablePointer<Float>, count: Int, stride: Int
  ) {
    let own = state.pointee.channels + channel
    let wet = state.pointee.wet + channel * RenderTiming.chunk
    var source = UnsafePointer(samples)
    if stride != 1 {
      SampleGuard.gather(source, stride: stride, to: wet, count: count)
      source = UnsafePointer(wet)
    }
    let (peak, isBroken) = SampleGuard.copy(
      source, to: wet, and: heard(state, channel), count: count,
      least: SampleGuard.trace, most: own.pointee.settings.plausible)
    if isBroken && state.pointee.isCompressing {
      own.pointee.holdsLevels = true
    }
    own.pointee.chunkInput = max(own.pointee.chunkInput, peak)
    own.pointee.inputPeak = max(own.pointee.inputPeak, peak)
  }

  /// Where a channel's input is kept to be measured, if it is.
  @_noLocks @_noAllocation @inline(__always)
  private static func heard(
    _ state: UnsafeMutablePointer<RenderState>, _ channel: Int
  ) -> UnsafeMutablePointer<Float>? {
    guard state.pointee.isCompressing else { return nil }
    let window = state.pointee.timing.window
    return state.pointee.compression.heard + channel * window
      + state.pointee.position & (window - 1)
  }

  /// Brings what the cascade made of a run to the broadband gain, which may move; in `target`.
  ///
  /// Behind the cascade, so that no band's gain raises what little the motion spreads.
  @_noLocks @_noAllocation @inline(__always)
  static func amplify(
    _ state: UnsafeMutablePointer<RenderState>, _ channel: Int,
    to target: UnsafeMutablePointer<Float>, count: Int
  ) -> Float {
    let own = state.pointee.channels + channel
    let from = own.pointee.broadband
    let isMoving = state.pointee.transitionStep != nil
    let rise = isMoving ? own.pointee.nextBroadband - from : 0
    let peak = SampleGuard.amplify(
      UnsafePointer(state.pointee.wet + channel * RenderTiming.chunk), to: target, count: count,
      from: from, slope: rise / Float(state.pointee.subBlock),
      offset: state.pointee.position & (state.pointee.subBlock - 1))
    own.pointee.chunkFiltered = max(own.pointee.chunkFiltered, peak)
    return peak
  }

  /// Brings what the cascade made of a run to the output: limited, faded in or out, or not at all.
  @_noLocks @_noAllocation @inline(__always)
  static func deliver(
    _ state: UnsafeMutablePointer<RenderState>, _ channel: Int,
    _ samples: UnsafeMutablePointer<Float>, count: Int, stride: Int, fadeStart: Int
  ) {
    let own = state.pointee.channels + channel
    let wet = state.pointee.wet + channel * RenderTiming.chunk
    let isEnabled = state.pointee.isEnabled
    let settings = own.pointee.settings
    let isFading = fadeStart < state.pointee.timing.fadeFrames || !isEnabled
    let isFlat = settings.isFlat && state.pointee.isSettled
    if stride == 1 && !isFading && !isFlat {
      // The usual case: the samples go out while they are measured.
      let peak = amplify(state, channel, to: samples, count: count)
      guard own.pointee.limiter.isNeeded(peak: peak, ceiling: settings.ceiling) else {
        own.pointee.outputPeak = max(own.pointee.outputPeak, peak)
        return
      }
      OutputLimiter.process(&own.pointee.limiter, samples, count: count, ceiling: settings.ceiling)
      own.pointee.outputPeak = max(
        own.pointee.outputPeak, SampleGuard.peak(samples, count: count))
      return
    }
    var peak = amplify(state, channel, to: wet, count: count)
    if !isEnabled && fadeStart == 0 {
      own.pointee.limiter.recover()
      own.pointee.outputPeak = max(own.pointee.outputPeak, own.pointee.inputPeak)
      return
    }
    if isFlat {
      // The cascade kept its states warm; the sound itself passes untouched, to the last bit.
      var source = UnsafePointer(samples)
      if stride != 1 {
        SampleGuard.gather(source, stride: stride, to: wet, count: count)
        source = UnsafePointer(wet)
      }
      peak =
        SampleGuard.copy(source, to: wet, count: count, least: 0, most: settings.plausible)
    }
    if own.pointee.limiter.isNeeded(peak: peak, ceiling: settings.ceiling) {
      OutputLimiter.process(&own.pointee.limiter, wet, count: count, ceiling: settings.ceiling)
    }
    if isFading {
      fade(
        state, wet, UnsafePointer(samples), count: count, stride: stride, fadeStart: fadeStart,
        settings)
    }
    SampleGuard.scatter(wet, to: samples, stride: stride, count: count)
    own.pointee.outputPeak = max(
      own.pointee.outputPeak, SampleGuard.peak(wet, count: count))
  }

  /// Mixes untouched and processed sound in `wet`.
  ///
  /// From the moment of enabling the untouched part is held below the ceiling as well.
  @_noLocks @_noAllocation
  static func fade(
    _ state: UnsafeMutablePointer<RenderState>, _ wet: UnsafeMutablePointer<Float>,
    _ samples: UnsafePointer<Float>, count: Int, stride: Int, fadeStart: Int,
    _ settings: ChannelSettings
  ) {
    let isEnabled = state.pointee.isEnabled
    let full = state.pointee.timing.fadeFrames
    let curve = state.pointee.fadeCurve
    var place = fadeStart
    for index in 0..<count {
      place = isEnabled ? min(place + 1, full) : max(place - 1, 0)
      var dry = samples[index * stride]
      if place == 0 {
        wet[index] = dry
      } else if place < full {
        if isEnabled {
          let isSound = abs(dry) <= settings.plausible
          dry = isSound ? LevelRatio.clamped(dry, settings.ceiling) : 0
        }
        var mix = dry + curve[place] * (wet[index] - dry)
        if isEnabled { mix = LevelRatio.clamped(mix, settings.ceiling) }
        wet[index] = mix
      }
    }
  }
}
