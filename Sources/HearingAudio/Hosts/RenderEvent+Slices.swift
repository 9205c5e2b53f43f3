public import HearingDSP

extension RenderEvent.Kind {
  /// A ``SliceGuard`` has been asked for more frames than were agreed; the value is how many. Once
  /// an episode.
  public static var tooManyFrames: Self { Self(rawValue: 0x100) }

  /// Slices fit a ``SliceGuard`` again: the episode is over; the value is the slice's frames.
  public static var slicesFitAgain: Self { Self(rawValue: 0x101) }
}
