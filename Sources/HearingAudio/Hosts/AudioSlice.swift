/// What a renderer is asked to render at a time: some of a host's frames, in the host's memory.
///
/// Good during the call that it is passed to, no longer.
public struct AudioSlice: BitwiseCopyable {
  /// One pointer for each channel, to ``frameCount`` samples each.
  public let channels: UnsafePointer<UnsafeMutablePointer<Float>>

  /// The number of channels, at least 1.
  public let channelCount: Int

  /// The number of frames, at least 1.
  public let frameCount: Int

  /// How many frames of the host's slice come before: what a time stamp has to be advanced by.
  public let offset: Int
}

@available(*, unavailable) extension AudioSlice: Sendable {}
