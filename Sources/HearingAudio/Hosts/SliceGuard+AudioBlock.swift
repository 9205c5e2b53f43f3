extension SliceGuard {
  /// Has the valid frames of a block rendered in place. Render side: one thread at a time.
  ///
  /// - Parameters:
  ///   - block: Has as many channels as the guard.
  ///   - outputIsSilence: Set if the output has been made silent.
  ///   - renderer: Renders a part in place.
  /// - Returns: As the render call that takes pointers.
  public func render(
    _ block: AudioBlock, outputIsSilence: inout Bool, by renderer: (AudioSlice) -> RenderStatus
  ) -> RenderStatus {
    precondition(
      block.channelCount == channelCount,
      "a block of \(block.channelCount) channels for a guard of \(channelCount)")
    return withExtendedLifetime(block) {
      render(
        block.channels, frameCount: block.frameCount, outputIsSilence: &outputIsSilence,
        by: renderer)
    }
  }
}
