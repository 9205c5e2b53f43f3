internal import HearingBuffers

/// Copies the host's samples to the work rows. Invalid samples are replaced. Tiny samples are
/// replaced as well, because they would make filters compute with denormals.
struct InputStage: ~Copyable, RenderStage {
  let channelCount: Int

  mutating func reset() {}

  @inline(__always)
  mutating func process(_ run: inout RenderRun) {
    for channel in 0..<channelCount { run.meters[channel].recordInput(run.load(channel)) }
  }

  /// Copies the input to the targets of the channels that no stage has changed. The copy is
  /// bit-exact, except that invalid samples become 0.
  @inline(never)
  func restore(_ run: RenderRun) {
    for channel in 0..<channelCount where run.unchanged.contains(channel) {
      run.peaks[channel] = run.copyInput(channel, to: run.targets[channel]).peak
    }
  }
}
