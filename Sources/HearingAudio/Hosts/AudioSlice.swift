public import HearingDSP

/// The part of a host's slice that a renderer renders in one call. The samples are in the host's
/// memory.
///
/// The memory is valid only during that call, so the type is unsafe.
@unsafe
public struct AudioSlice: BitwiseCopyable {
  /// One pointer per channel, to ``frameCount`` samples each.
  public let channels: UnsafePointer<UnsafeMutablePointer<Float>>

  /// The number of channels, at least 1.
  public let channelCount: Int

  /// The number of frames, at least 1.
  public let frameCount: Int

  /// The number of frames of the host's slice before this part: the offset for a time stamp.
  public let offset: Int
}

@available(*, unavailable) extension AudioSlice: Sendable {}

extension BandGainProcessor {
  /// Processes a slice in place. Render side.
  ///
  /// - Parameter slice: Must have the processor's number of channels.
  public func process(_ slice: AudioSlice) {
    precondition(
      unsafe slice.channelCount == spec.channelCount,
      unsafe "a slice of \(slice.channelCount) channels for a processor of \(spec.channelCount)")
    unsafe process(slice.channels, frameCount: slice.frameCount)
  }
}
