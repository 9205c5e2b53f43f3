public import HearingDSP

extension BandGainProcessor {
  /// Processes the valid frames of a block in place. Call this on the render thread only.
  ///
  /// - Parameter block: Must have the processor's number of channels.
  public func process(_ block: AudioBlock) {
    precondition(
      block.channelCount == spec.channelCount,
      "a block of \(block.channelCount) channels for a processor of \(spec.channelCount)")
    withExtendedLifetime(block) { process(block.rows) }
  }

  /// Processes rows in place. There must be one row per channel of the processor.
  func process(_ rows: ChannelRows) {
    unsafe process(rows.pointers, frameCount: rows.frameCount)
  }
}
