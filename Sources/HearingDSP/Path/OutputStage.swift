internal import HearingBuffers

/// Writes one of three signals to the host: the processed signal, the original input, or a
/// cross-fade of these two signals.
///
/// The original input is delayed by the latency of the limiter. Therefore, during a fade and in
/// bypass, the original input and the processed signal have the same delay. With a headphone
/// correction, this stage uses the corrected input instead of the original input, and limits the
/// corrected input to the ceiling.
struct OutputStage: ~Copyable, RenderStage {
  private let channelCount: Int
  private let latency: Int

  /// The gain of the processed signal during a fade, from 0 to 1.
  private let fadeCurve: OwnedRow<Float>

  /// Scratch memory for the original input of one channel in one run of frames.
  private let untouched: OwnedRow<Float>

  /// A limiter for the input after the headphone correction. The same gains are applied to all
  /// channels.
  private(set) var limiter: OutputLimiter

  /// The delay lines of the original input, one per channel.
  private let delays: OwnedRow<DelayLine>

  /// - Parameter fade: The cross-fade between the original input and the processed signal. Only the
  ///   length of the fade is read.
  init(channelCount: Int, latency: Int, sampleRate: Double, fade: CrossFade) {
    self.channelCount = channelCount
    self.latency = latency
    fadeCurve = fade.raisedCosineIntegral
    untouched = .filled(0, count: RenderTiming.chunk)
    limiter = OutputLimiter(sampleRate: sampleRate)
    delays = OwnedRow(count: channelCount) { _ in DelayLine(length: latency) }
  }

  mutating func reset() {
    for channel in 0..<channelCount { delays[channel].clear() }
    limiter.reset()
  }

  mutating func process(_ run: inout RenderRun) {
    if latency > 0 || run.isCorrected || limiter.statistics.gain < 1 { prepareInput(run) }
    for channel in 0..<channelCount {
      if run.fade.isOff && !run.isCorrected {
        run.meters[channel].recordBypass()
        continue
      }
      let target = run.targets[channel]
      if !target.isSame(as: run.hostSamples(channel)) { write(target, run, channel) }
      let known = run.peaks[channel]
      let peak = known >= 0 ? known : SampleOperations.peak(target, count: run.count)
      run.meters[channel].recordOutput(peak)
    }
  }

  /// Delays the original input in the host's memory, and limits corrected input. If the processed
  /// signal replaces the original input completely, only the delay lines are updated.
  @inline(never)
  private mutating func prepareInput(_ run: RenderRun) {
    let (isUsed, count) = (!run.fade.isComplete, run.count)
    let isLimited = run.isCorrected && isUsed
    var isLoud = false
    for channel in 0..<channelCount where latency > 0 || isLimited {
      load(run, channel)
      delays[channel].exchange(untouched.row, count: count)
      if isUsed { store(untouched.row, run, channel) }
      guard isLimited else { continue }
      let ceiling = run.limits[channel].ceiling
      let peak = LevelRatio.measure(
        untouched.row, count: count, ceiling: ceiling, to: run.ratios, keepsGreater: channel > 0)
      isLoud = isLoud || peak > ceiling
    }
    guard isLoud || (isLimited && limiter.isRecovering) else { return limiter.recover() }
    limiter.follow(run.ratios, count: count)
    if run.fade.isOff { limiter.statistics.record(run.ratios, count: count) }
    for channel in 0..<channelCount {
      load(run, channel)
      LevelRatio.apply(
        run.ratios, to: untouched.row, count: count, ceiling: run.limits[channel].ceiling)
      store(untouched.row, run, channel)
    }
  }

  /// Copies the samples of a channel from the host's memory to `untouched`.
  private func load(_ run: RenderRun, _ channel: Int) {
    SampleOperations.gather(
      run.hostSamples(channel), stride: run.stride, to: untouched.row, count: run.count)
  }

  /// Copies samples to the host's memory.
  private func store(_ row: Row<Float>, _ run: RenderRun, _ channel: Int) {
    SampleOperations.scatter(
      row, to: run.hostSamples(channel), stride: run.stride, count: run.count)
  }

  /// Writes the samples of a channel from `row` to the host's memory. If the processed signal does
  /// not replace the original input completely, first mixes the original input into `row`.
  ///
  /// In two cases, the original input and the result are clamped to the ceiling: during a fade to
  /// the processed signal, and with a headphone correction.
  @inline(never)
  private func write(_ row: Row<Float>, _ run: RenderRun, _ channel: Int) {
    guard !run.fade.isComplete else { return store(row, run, channel) }
    load(run, channel)
    let (isLimited, limits) = (run.isCorrected || run.fade.isOn, run.limits[channel])
    var fade = run.fade
    for index in 0..<run.count {
      fade.advance()
      var dry = untouched[index]
      if fade.position == 0 {
        row[index] = dry
      } else if fade.position < fade.length {
        if isLimited {
          let isValid = abs(dry) <= limits.rejectionLevel
          dry = isValid ? LevelRatio.clamped(dry, limits.ceiling) : 0
        }
        let mix = dry + fadeCurve[fade.position] * (row[index] - dry)
        row[index] = isLimited ? LevelRatio.clamped(mix, limits.ceiling) : mix
      }
    }
    run.peaks[channel] = RenderRun.unknownPeak
    store(row, run, channel)
  }
}
