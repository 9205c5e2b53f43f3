public import HearingDSP
public import HearingProcessing

/// A report of an episode. An episode is a period in which a host requests more frames in one
/// render call than a renderer supports.
public struct SliceEpisode: Sendable, Equatable {
  /// The number of frames in the slice that caused the report. A slice is the block of frames that
  /// a host requests in one render call.
  public let frameCount: Int

  /// The total number of frames in all slices before the slice that caused the report.
  public let frame: Int64

  /// The buffer duration in seconds that the app should set on the host. With this buffer duration,
  /// slices are small enough for the renderer.
  public let preferredBufferDuration: Double

  /// Whether this is the first report of the episode. A later report means that slices are still
  /// too large. There are two possible reasons: the app has not set the buffer duration, or the
  /// host requests large slices in spite of the new buffer duration.
  public let isFirst: Bool
}

extension SliceGuard {
  /// Observes the start and the end of episodes.
  ///
  ///     let token = sliceGuard.observeEpisodes(through: monitor) { episode in
  ///       host.preferredBufferDuration = episode.preferredBufferDuration
  ///     }
  ///
  /// - Parameters:
  ///   - monitor: The monitor that calls the closures. The monitor never calls the closures on the
  ///     render thread.
  ///   - began: A closure that is called at the start of an episode. While the guard silences
  ///     slices that are too large, the closure is called again, at most ten times a second. See
  ///     ``SliceEpisode/isFirst``.
  ///   - ended: A closure that is called at the end of an episode, when slices are small enough
  ///     again.
  /// - Returns: A token. When the token is released, the closures are no longer called. The token
  ///   does not retain the guard.
  public func observeEpisodes(
    through monitor: RenderEventMonitor, began: @escaping @Sendable (SliceEpisode) -> Void,
    ended: @escaping @Sendable () -> Void = {}
  ) -> ObservationToken {
    let duration = preferredBufferDuration
    // If the event ring was full, the event at the end of an episode may be lost. In this case, the
    // event at the start of the next episode arrives while `isInEpisode` is still true. This event
    // is ignored.
    let isInEpisode = Lock(false)
    return monitor.listen(to: events) { event in
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
  /// The host requested more frames from a ``SliceGuard`` than the renderer supports. The value of
  /// the event is the number of requested frames. This event is published once per episode.
  public static var tooManyFrames: Self { Self(rawValue: 0x100) }

  /// An episode of a ``SliceGuard`` ended. The value of the event is the number of frames in the
  /// slice that ended the episode.
  public static var slicesFitAgain: Self { Self(rawValue: 0x101) }

  /// A ``SliceGuard`` returned ``RenderStatus/tooManyFrames`` for a slice after the start of an
  /// episode. If the guard splits a slice and renders all parts, this event is not published. The
  /// value of the event is the number of frames in the slice. This event is published at most ten
  /// times a second.
  public static var stillTooManyFrames: Self { Self(rawValue: 0x102) }
}
