internal import HearingDSP
public import HearingProcessing

extension SliceGuard {
  /// Tells when a host begins to ask for more than was agreed, and when it has come back to it.
  ///
  ///     let token = sliceGuard.observeEpisodes(through: monitor) { episode in
  ///       host.preferredBufferDuration = episode.preferredBufferDuration
  ///     }
  ///
  /// - Parameters:
  ///   - monitor: Calls the closures, off the render thread.
  ///   - began: Called once for each episode.
  ///   - ended: Called when slices fit again.
  /// - Returns: The token that keeps the observation; it does not keep the guard.
  public func observeEpisodes(
    through monitor: RenderEventMonitor, began: @escaping @Sendable (SliceEpisode) -> Void,
    ended: @escaping @Sendable () -> Void = {}
  ) -> ObservationToken {
    let duration = preferredBufferDuration
    // Where events were coalesced, a beginning may follow a beginning.
    let isInEpisode = Lock(false)
    return monitor.listen(to: self) { event in
      let isBeginning = event.kind == .tooManyFrames
      guard isBeginning || event.kind == .slicesFitAgain else { return }
      let isNews = isInEpisode.withLock { state in
        defer { state = isBeginning }
        return state != isBeginning
      }
      guard isNews else { return }
      if isBeginning {
        began(
          SliceEpisode(
            frameCount: Int(event.value), frame: event.frame, preferredBufferDuration: duration))
      } else {
        ended()
      }
    }
  }
}
