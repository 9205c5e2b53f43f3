internal import HearingBuffers

/// Copies the host's samples to the work memory of the stages. Replaces invalid samples. Also
/// replaces samples near 0, because these samples would cause denormals in the filters.
struct InputStage: ~Copyable, RenderStage {
  let channelCount: Int

  mutating func reset() {}

  @inline(__always)
  mutating func process(_ run: inout RenderRun) {
    for channel in 0..<channelCount {
      run.meters[channel].recordInput(run.load(channel), isCorrected: run.isCorrected)
    }
  }

  /// For each channel that no stage has changed, copies the input to the output memory. Valid
  /// samples are copied bit-exactly. Invalid samples become 0.
  @inline(never)
  func restore(_ run: RenderRun) {
    for channel in 0..<channelCount where run.unchanged.contains(channel) {
      run.peaks[channel] = run.copyInput(channel, to: run.targets[channel]).peak
    }
  }
}
