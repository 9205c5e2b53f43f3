internal import HearingBuffers

/// Writes one of three signals to the host: the processed signal, the original input, or a
/// cross-fade of these two signals.
///
/// The original input is delayed by the latency of the limiter. Therefore the original input is
/// aligned with the processed signal during a fade and in bypass.
struct OutputStage: ~Copyable, RenderStage {
  private let channelCount: Int
  private let latency: Int

  /// The gain of the processed signal during a fade, from 0 to 1.
  private let fadeCurve: OwnedRow<Float>

  /// The original input of one channel, for one run of frames.
  private let untouched: OwnedRow<Float>

  /// The delay lines of the original input, one per channel.
  private let delays: OwnedRow<DelayLine>

  /// - Parameter fade: The cross-fade between the original input and the processed signal. Only the
  ///   length of the fade is read.
  init(channelCount: Int, latency: Int, fade: CrossFade) {
    self.channelCount = channelCount
    self.latency = latency
    fadeCurve = fade.raisedCosineIntegral
    untouched = .filled(0, count: RenderTiming.chunk)
    delays = OwnedRow(count: channelCount) { _ in DelayLine(length: latency) }
  }

  mutating func reset() {
    for channel in 0..<channelCount { delays[channel].clear() }
  }

  mutating func process(_ run: inout RenderRun) {
    for channel in 0..<channelCount {
      let (samples, target) = (run.hostSamples(channel), run.targets[channel])
      if !target.isSame(as: samples) { write(run, channel, target, to: samples) }
      if run.fade.isOff {
        run.meters[channel].recordBypass()
      } else {
        let known = run.peaks[channel]
        let peak = known >= 0 ? known : SampleOperations.peak(target, count: run.count)
        run.meters[channel].recordOutput(peak)
      }
    }
  }

  /// Writes the samples of a channel from `row` to the host's memory. The function may change the
  /// samples in `row`.
  @inline(never)
  private func write(
    _ run: RenderRun, _ channel: Int, _ row: Row<Float>,
    to samples: Row<Float>
  ) {
    let (fade, count, stride) = (run.fade, run.count, run.stride)
    if latency > 0 || !(fade.isComplete || fade.isOff) {
      SampleOperations.gather(samples, stride: stride, to: untouched.row, count: count)
      delays[channel].exchange(untouched.row, count: count)
    }
    if fade.isOff {
      guard latency > 0 else { return }
      SampleOperations.scatter(untouched.row, to: samples, stride: stride, count: count)
      return
    }
    if !fade.isComplete {
      Self.mix(
        row, untouched.row, count: count, fade: fade, curve: fadeCurve.row,
        limits: run.limits[channel])
      run.peaks[channel] = RenderRun.unknownPeak
    }
    SampleOperations.scatter(row, to: samples, stride: stride, count: count)
  }

  /// Mixes the original input into the processed signal in `row`.
  ///
  /// During a fade to the processed signal, the original input is also clamped to the limiter's
  /// ceiling.
  @inline(never)
  private static func mix(
    _ row: Row<Float>, _ untouched: Row<Float>, count: Int,
    fade: CrossFade, curve: Row<Float>, limits: ChannelLimits
  ) {
    var fade = fade
    for index in 0..<count {
      fade.advance()
      var dry = untouched[index]
      if fade.position == 0 {
        row[index] = dry
      } else if fade.position < fade.length {
        if fade.isOn {
          let isValid = abs(dry) <= limits.rejectionLevel
          dry = isValid ? LevelRatio.clamped(dry, limits.ceiling) : 0
        }
        let mix = dry + curve[fade.position] * (row[index] - dry)
        row[index] = fade.isOn ? LevelRatio.clamped(mix, limits.ceiling) : mix
      }
    }
  }
}
