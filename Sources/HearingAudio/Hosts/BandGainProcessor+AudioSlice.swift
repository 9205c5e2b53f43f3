public import HearingDSP

extension BandGainProcessor {
  /// Processes a slice in place. Render side.
  ///
  /// - Parameter slice: Has as many channels as the processor.
  public func process(_ slice: AudioSlice) {
    precondition(
      slice.channelCount == spec.channelCount,
      "a slice of \(slice.channelCount) channels for a processor of \(spec.channelCount)")
    process(slice.channels, frameCount: slice.frameCount)
  }
}
