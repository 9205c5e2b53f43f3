internal import HearingDSP

extension SliceGuard {
  /// Has a host's slice rendered. Render side: one thread at a time.
  ///
  /// - Parameters:
  ///   - channels: A pointer to each channel's samples, ``channelCount`` of them; they may hold
  ///     input.
  ///   - frameCount: The frames that the host asks for, 0 or more.
  ///   - outputIsSilence: Set if the output has been made silent, otherwise left as it is.
  ///   - renderer: Renders a part in place, at most ``maximumFrameCount`` frames, and says how it
  ///     went. Called for one part after the other, in order, until all are done or one fails.
  /// - Returns: ``RenderStatus/success``, or why the output is silent.
  public func render(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int,
    outputIsSilence: inout Bool, by renderer: (AudioSlice) -> RenderStatus
  ) -> RenderStatus {
    precondition(frameCount >= 0, "a slice of \(frameCount) frames")
    guard frameCount > 0 else { return .success }
    let isTooLarge = frameCount > maximumFrameCount
    let status: RenderStatus
    if !isTooLarge {
      status = renderer(
        AudioSlice(
          channels: channels, channelCount: channelCount, frameCount: frameCount, offset: 0))
    } else if policy == .split {
      status = renderParts(channels, frameCount: frameCount, by: renderer)
    } else {
      status = .tooManyFrames
    }
    note(isTooLarge: isTooLarge || status == .tooManyFrames, frameCount: frameCount)
    if status != .success {
      for channel in 0..<channelCount { channels[channel].update(repeating: 0, count: frameCount) }
      outputIsSilence = true
    }
    return status
  }

  private func renderParts(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int,
    by renderer: (AudioSlice) -> RenderStatus
  ) -> RenderStatus {
    let part = state.pointee.part
    var offset = 0
    while offset < frameCount {
      for channel in 0..<channelCount { part[channel] = channels[channel] + offset }
      let count = min(maximumFrameCount, frameCount - offset)
      let status = renderer(
        AudioSlice(
          channels: UnsafePointer(part), channelCount: channelCount, frameCount: count,
          offset: offset))
      if status != .success { return status }
      offset += count
    }
    return .success
  }

  private func note(isTooLarge: Bool, frameCount: Int) {
    let frame = state.pointee.frame
    state.pointee.frame = frame + Int64(frameCount)
    guard isTooLarge != state.pointee.isInEpisode else { return }
    state.pointee.isInEpisode = isTooLarge
    state.pointee.events.publish(
      RenderEvent(
        isTooLarge ? .tooManyFrames : .slicesFitAgain, frame: frame, value: Double(frameCount)))
  }
}
