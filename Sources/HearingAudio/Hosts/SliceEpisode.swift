public import HearingDSP
public import HearingProcessing

/// A period in which a host asks for more frames than agreed.
public struct SliceEpisode: Sendable, Equatable {
  /// The number of frames in the first slice.
  public let frameCount: Int

  /// The number of frames rendered before the episode.
  public let frame: Int64

  /// The buffer duration in seconds to set on the host, so that slices fit again.
  public let preferredBufferDuration: Double
}

extension SliceGuard {
  /// Observes when episodes begin and end.
  ///
  ///     let token = sliceGuard.observeEpisodes(through: monitor) { episode in
  ///       host.preferredBufferDuration = episode.preferredBufferDuration
  ///     }
  ///
  /// - Parameters:
  ///   - monitor: Calls the closures, off the render thread.
  ///   - began: Called once per episode.
  ///   - ended: Called when slices fit again.
  /// - Returns: Cancels the observation when released; does not retain the guard.
  public func observeEpisodes(
    through monitor: RenderEventMonitor, began: @escaping @Sendable (SliceEpisode) -> Void,
    ended: @escaping @Sendable () -> Void = {}
  ) -> ObservationToken {
    let duration = preferredBufferDuration
    // Where events were coalesced, two beginnings may follow each other.
    let isInEpisode = Lock(false)
    return monitor.listen(to: self) { event in
      let isBeginning = event.kind == .tooManyFrames
      guard isBeginning || event.kind == .slicesFitAgain else { return }
      let isChange = isInEpisode.withLock { state in
        defer { state = isBeginning }
        return state != isBeginning
      }
      guard isChange else { return }
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

extension RenderEvent.Kind {
  /// A ``SliceGuard`` was asked for more frames than agreed; the value is their number. Once per
  /// episode.
  public static var tooManyFrames: Self { Self(rawValue: 0x100) }

  /// An episode of a ``SliceGuard`` ended; the value is the number of frames of the slice.
  public static var slicesFitAgain: Self { Self(rawValue: 0x101) }
}
