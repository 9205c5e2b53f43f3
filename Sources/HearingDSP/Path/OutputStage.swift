internal import HearingBuffers

/// Writes the processed sound, the untouched input or a cross-fade of both to the host.
///
/// The untouched input is delayed as much as the limiter delays the processed sound, so that both
/// stay aligned while fading and in bypass.
struct OutputStage: ~Copyable, RenderStage {
  private let channelCount: Int
  private let latency: Int

  /// From 0 to 1 over a fade.
  private let fadeCurve: OwnedRow<Float>

  /// The untouched input of one channel's run.
  private let untouched: OwnedRow<Float>

  /// `[channel]`.
  private let delays: OwnedRow<DelayLine>

  init(channelCount: Int, latency: Int, fadeFrames: Int) {
    self.channelCount = channelCount
    self.latency = latency
    fadeCurve = RaisedCosine.integral(steps: fadeFrames)
    untouched = .filled(0, count: RenderTiming.chunk)
    delays = OwnedRow(count: channelCount) { _ in DelayLine(length: latency) }
  }

  mutating func reset() {
    for channel in 0..<channelCount { delays[channel].clear() }
  }

  @inline(__always)
  mutating func process(_ run: inout RenderRun) {
    for channel in 0..<channelCount {
      let (samples, target) = (run.hostSamples(channel), run.targets[channel])
      if !target.isSame(as: samples) { write(run, channel, target, to: samples) }
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
  @inline(never)
  private func write(
    _ run: RenderRun, _ channel: Int, _ row: Row<Float>,
    to samples: Row<Float>
  ) {
    let (fade, count, stride) = (run.fade, run.count, run.stride)
    if latency > 0 || (fade.isFading && !fade.isBypassed) {
      SampleOperations.gather(samples, stride: stride, to: untouched.row, count: count)
      delays[channel].exchange(untouched.row, count: count)
    }
    if fade.isBypassed {
      guard latency > 0 else { return }
      SampleOperations.scatter(untouched.row, to: samples, stride: stride, count: count)
      return
    }
    if fade.isFading {
      Self.mix(
        row, untouched.row, count: count, fade: fade, curve: fadeCurve.row,
        settings: run.settings[channel])
      run.peaks[channel] = RenderRun.unknownPeak
    }
    SampleOperations.scatter(row, to: samples, stride: stride, count: count)
  }

  /// Mixes untouched and processed sound in `row`.
  ///
  /// While fading to the processed sound, the untouched part is clamped to the ceiling as well.
  @inline(never)
  private static func mix(
    _ row: Row<Float>, _ untouched: Row<Float>, count: Int,
    fade: BypassFade, curve: Row<Float>, settings: ChannelSettings
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
