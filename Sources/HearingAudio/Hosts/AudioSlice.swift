public import HearingDSP

/// The part of a slice that a renderer processes in one call. A slice is the block of frames that a
/// host requests in one render call.
///
/// The host owns the memory of the samples. Do not use an `AudioSlice` after the renderer has
/// returned.
@safe  // A view of `frameCount` frames; only `channels` returns pointers.
public struct AudioSlice: BitwiseCopyable {
  /// The number of frames between the start of the host's slice and the start of this part. The
  /// sample time of the part is the sample time of the host's slice plus `offset`.
  public let offset: Int

  let rows: ChannelRows

  /// A list with one pointer per channel. Each pointer refers to ``frameCount`` samples.
  public var channels: UnsafePointer<UnsafeMutablePointer<Float>> {
    // Unsafe: the caller may use the pointers only during the render call.
    unsafe rows.pointers
  }

  /// The number of channels, at least 1.
  public var channelCount: Int { rows.channelCount }

  /// The number of frames, at least 1.
  public var frameCount: Int { rows.frameCount }
}

@available(*, unavailable) extension AudioSlice: Sendable {}

extension BandGainProcessor {
  /// Processes a slice in place. Call this method on the render thread only.
  ///
  /// - Parameter slice: A slice with the processor's number of channels.
  public func process(_ slice: AudioSlice) { process(slice.rows) }
}
