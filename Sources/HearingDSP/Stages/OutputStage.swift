/// Writes the processed sound, the untouched input or a cross-fade of both to the host.
///
/// The untouched input is delayed as much as the limiter delays the processed sound, so that both
/// stay aligned while fading and in bypass.
struct OutputStage: ~Copyable, RenderStage {
  private let channelCount: Int
  private let latency: Int

  /// From 0 to 1 over a fade.
  private let fadeCurve: UnsafeMutablePointer<Float>

  /// The untouched input of one channel's run.
  private let untouched: UnsafeMutablePointer<Float>

  /// `[channel]`.
  private let delays: UnsafeMutablePointer<DelayLine>

  init(channelCount: Int, latency: Int, fadeFrames: Int) {
    self.channelCount = channelCount
    self.latency = latency
    fadeCurve = RaisedCosine.integral(steps: fadeFrames)
    untouched = .filled(0, count: RenderTiming.chunk)
    delays = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      (delays + channel).initialize(to: DelayLine(length: latency))
    }
  }

  deinit {
    fadeCurve.deallocate()
    untouched.deallocate()
    for channel in 0..<channelCount { delays[channel].deallocate() }
    delays.deallocate()
  }

  @_noLocks @_noAllocation
  mutating func reset() {
    for channel in 0..<channelCount { delays[channel].clear() }
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func process(_ run: inout RenderRun) {
    for channel in 0..<channelCount {
      let (samples, target) = (run.hostSamples(channel), run.targets[channel])
      if target != samples { write(run, channel, target, to: samples) }
      if run.fade.isBypassed {
        run.meters[channel].recordBypass()
      } else {
        let known = run.peaks[channel]
        let peak = known >= 0 ? known : SampleOperations.peak(target, count: run.count)
        run.meters[channel].recordOutput(peak)
      }
    }
  }

  /// Writes a channel from its work row to the host; changes the work row.
  @_noLocks @_noAllocation @inline(never)
  private func write(
    _ run: RenderRun, _ channel: Int, _ row: UnsafeMutablePointer<Float>,
    to samples: UnsafeMutablePointer<Float>
  ) {
    let (fade, count, stride) = (run.fade, run.count, run.stride)
    if latency > 0 || (fade.isFading && !fade.isBypassed) {
      SampleOperations.gather(UnsafePointer(samples), stride: stride, to: untouched, count: count)
      delays[channel].exchange(untouched, count: count)
    }
    if fade.isBypassed {
      guard latency > 0 else { return }
      SampleOperations.scatter(UnsafePointer(untouched), to: samples, stride: stride, count: count)
      return
    }
    if fade.isFading {
      Self.mix(
        row, UnsafePointer(untouched), count: count, fade: fade, curve: fadeCurve,
        settings: run.settings[channel])
      run.peaks[channel] = RenderRun.unknownPeak
    }
    SampleOperations.scatter(UnsafePointer(row), to: samples, stride: stride, count: count)
  }

  /// Mixes untouched and processed sound in `row`.
  ///
  /// While fading to the processed sound, the untouched part is clamped to the ceiling as well.
  @_noLocks @_noAllocation @inline(never)
  private static func mix(
    _ row: UnsafeMutablePointer<Float>, _ untouched: UnsafePointer<Float>, count: Int,
    fade: BypassFade, curve: UnsafePointer<Float>, settings: ChannelSettings
  ) {
    let (isEnabled, full) = (fade.isEnabled, fade.length)
    var place = fade.position
    for index in 0..<count {
      place = isEnabled ? min(place + 1, full) : max(place - 1, 0)
      var dry = untouched[index]
      if place == 0 {
        row[index] = dry
      } else if place < full {
        if isEnabled {
          let isValid = abs(dry) <= settings.rejectionLevel
          dry = isValid ? LevelRatio.clamped(dry, settings.ceiling) : 0
        }
        var mix = dry + curve[place] * (row[index] - dry)
        if isEnabled { mix = LevelRatio.clamped(mix, settings.ceiling) }
        row[index] = mix
      }
    }
  }
}
