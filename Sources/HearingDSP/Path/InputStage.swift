internal import HearingBuffers

/// Copies the host's samples to the work rows and zeroes invalid ones.
struct InputStage: ~Copyable, RenderStage {
  private let channelCount: Int

  init(channelCount: Int) {
    self.channelCount = channelCount
  }

  mutating func reset() {}

  @inline(__always)
  mutating func process(_ run: inout RenderRun) {
    for channel in 0..<channelCount {
      let (peak, isBroken) = Self.copy(
        run.hostSamples(channel), stride: run.stride, to: run.workRow(channel), count: run.count,
        least: SampleOperations.trace, most: run.settings[channel].rejectionLevel)
      if _slowPath(isBroken) { run.recordRejected(channel) }
      run.meters[channel].recordInput(peak)
    }
  }

  /// Copies the input of channels that no stage has changed to their targets, bit for bit; only
  /// invalid samples become 0.
  @inline(never)
  func restore(_ run: RenderRun) {
    for channel in 0..<channelCount where run.unchanged.contains(channel) {
      run.peaks[channel] =
        Self.copy(
          run.hostSamples(channel), stride: run.stride, to: run.targets[channel], count: run.count,
          least: 0, most: run.settings[channel].rejectionLevel
        ).peak
    }
  }

  @inline(__always)
  static func copy(
    _ samples: Row<Float>, stride: Int, to target: Row<Float>,
    count: Int, least: Float, most: Float
  ) -> (peak: Float, isBroken: Bool) {
    var source = samples
    if stride != 1 {
      SampleOperations.gather(source, stride: stride, to: target, count: count)
      source = target
    }
    return SampleOperations.copyChecked(source, to: target, count: count, least: least, most: most)
  }
}
