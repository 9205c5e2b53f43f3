public import HearingDSP
public import HearingProcessing

/// A report of an episode, a period in which a host requests more frames than agreed.
public struct SliceEpisode: Sendable, Equatable {
  /// The number of frames in the reported slice.
  public let frameCount: Int

  /// The number of frames rendered before the slice.
  public let frame: Int64

  /// The buffer duration in seconds to set on the host, so that slices are small enough again.
  public let preferredBufferDuration: Double

  /// Whether this is the first report of the episode. Later reports mean that slices still fail:
  /// the buffer duration was not reset, or resetting it did not help.
  public let isFirst: Bool
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
  ///   - began: Called at the start of an episode, and again at most ten times a second while
  ///     slices fail; see ``SliceEpisode/isFirst``.
  ///   - ended: Called when slices are small enough again.
  /// - Returns: A token that cancels the observation when released. It does not retain the guard.
  public func observeEpisodes(
    through monitor: RenderEventMonitor, began: @escaping @Sendable (SliceEpisode) -> Void,
    ended: @escaping @Sendable () -> Void = {}
  ) -> ObservationToken {
    let duration = preferredBufferDuration
    // If events were coalesced, one start may follow another.
    let isInEpisode = Lock(false)
    return monitor.listen(to: self) { event in
      let kinds: [RenderEvent.Kind] = [.tooManyFrames, .stillTooManyFrames, .slicesFitAgain]
      guard kinds.contains(event.kind) else { return }
      let isTooLarge = event.kind != .slicesFitAgain
      let isChange = isInEpisode.withLock { state in
        defer { state = isTooLarge }
        return state != isTooLarge
      }
      if isTooLarge, isChange || event.kind == .stillTooManyFrames {
        began(
          SliceEpisode(
            frameCount: Int(event.value), frame: event.frame, preferredBufferDuration: duration,
            isFirst: isChange))
      } else if !isTooLarge, isChange {
        ended()
      }
    }
  }
}

extension RenderEvent.Kind {
  /// The host requested more frames from a ``SliceGuard`` than agreed; the value is the number of
  /// frames. Published once per episode.
  public static var tooManyFrames: Self { Self(rawValue: 0x100) }

  /// An episode of a ``SliceGuard`` ended; the value is the number of frames of the slice.
  public static var slicesFitAgain: Self { Self(rawValue: 0x101) }

  /// Slices of a ``SliceGuard`` still fail; the value is the number of frames. Published at most
  /// ten times a second.
  public static var stillTooManyFrames: Self { Self(rawValue: 0x102) }
}
