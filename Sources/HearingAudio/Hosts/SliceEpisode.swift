/// A time during which a host asks for more frames than were agreed.
public struct SliceEpisode: Sendable, Equatable {
  /// How many frames the host asked for when it began.
  public let frameCount: Int

  /// When it began: the number of frames rendered before.
  public let frame: Int64

  /// The buffer duration in seconds that the host should set back, so that slices fit again.
  public let preferredBufferDuration: Double
}
