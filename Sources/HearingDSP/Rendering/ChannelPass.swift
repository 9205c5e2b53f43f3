/// One channel's way into the cascade and out of it.
enum ChannelPass {
  /// Copies a run of input, without what is no sound, at the broadband gain if that rests.
  @_noLocks @_noAllocation @inline(__always)
  static func receive(
    _ state: UnsafeMutablePointer<RenderState>, _ channel: Int,
    _ samples: UnsafeMutablePointer<Float>, count: Int, stride: Int
  ) {
    let own = state.pointee.channels + channel
    let received = received(state, channel)
    var source = UnsafePointer(samples)
    if stride != 1 {
      SampleGuard.gather(source, stride: stride, to: received, count: count)
      source = UnsafePointer(received)
    }
    let isMoving = state.pointee.transitionStep != nil
    let peak = SampleGuard.copy(
      source, to: received, count: count, gain: isMoving ? 1 : own.pointee.broadband,
      least: SampleGuard.trace, most: own.pointee.settings.plausible)
    own.pointee.chunkInput = max(own.pointee.chunkInput, peak)
    own.pointee.inputPeak = max(own.pointee.inputPeak, peak)
  }

  /// Where a channel's input goes: to where it is measured, if it is, otherwise straight to `wet`.
  @_noLocks @_noAllocation @inline(__always)
  private static func received(
    _ state: UnsafeMutablePointer<RenderState>, _ channel: Int
  ) -> UnsafeMutablePointer<Float> {
    guard state.pointee.isCompressing else {
      return state.pointee.wet + channel * RenderTiming.chunk
    }
    let window = state.pointee.timing.window
    return state.pointee.compression.heard + channel * window
      + state.pointee.position & (window - 1)
  }

  /// Brings what has been received to the broadband gain, which moves, in `wet`.
  @_noLocks @_noAllocation @inline(__always)
  static func ramp(
    _ state: UnsafeMutablePointer<RenderState>, _ channel: Int, count: Int, offset: Int
  ) {
    let own = state.pointee.channels + channel
    let from = own.pointee.broadband
    let slope = (own.pointee.nextBroadband - from) / Float(state.pointee.subBlock)
    SampleGuard.ramp(
      received(state, channel), to: state.pointee.wet + channel * RenderTiming.chunk,
      count: count, from: from, slope: slope, offset: offset)
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
      let peak = SampleGuard.copyMeasuring(wet, to: samples, count: count)
      own.pointee.chunkFiltered = max(own.pointee.chunkFiltered, peak)
      guard own.pointee.limiter.isNeeded(peak: peak, ceiling: settings.ceiling) else {
        own.pointee.outputPeak = max(own.pointee.outputPeak, peak)
        return
      }
      OutputLimiter.process(&own.pointee.limiter, samples, count: count, ceiling: settings.ceiling)
      own.pointee.outputPeak = max(
        own.pointee.outputPeak, SampleGuard.peak(samples, count: count))
      return
    }
    var peak = SampleGuard.peak(wet, count: count)
    own.pointee.chunkFiltered = max(own.pointee.chunkFiltered, peak)
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
      peak = SampleGuard.copy(
        source, to: wet, count: count, gain: 1, least: 0, most: settings.plausible)
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
          dry = isSound ? max(-settings.ceiling, min(settings.ceiling, dry)) : 0
        }
        var mix = dry + curve[place] * (wet[index] - dry)
        if isEnabled { mix = max(-settings.ceiling, min(settings.ceiling, mix)) }
        wet[index] = mix
      }
    }
  }
}
