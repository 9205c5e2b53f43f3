internal import HearingBuffers

/// Copies the host's samples to the work rows. Invalid samples are replaced. Tiny samples are also
/// replaced, because they would cause denormals in the filters.
struct InputStage: ~Copyable, RenderStage {
  let channelCount: Int

  mutating func reset() {}

  @inline(__always)
  mutating func process(_ run: inout RenderRun) {
    for channel in 0..<channelCount { run.meters[channel].recordInput(run.load(channel)) }
  }

  /// Copies the input to the output memory of each channel that no stage has changed. The copy is
  /// bit-exact, except that invalid samples become 0.
  @inline(never)
  func restore(_ run: RenderRun) {
    for channel in 0..<channelCount where run.unchanged.contains(channel) {
      run.peaks[channel] = run.copyInput(channel, to: run.targets[channel]).peak
    }
  }
}
