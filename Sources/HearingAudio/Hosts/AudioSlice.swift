public import HearingDSP

/// The part of a host's slice that a renderer renders in one call. The samples are in the host's
/// memory.
///
/// Do not use it after that call: the memory belongs to the host.
@safe  // It is a view of `frameCount` frames; only `channels` returns pointers.
public struct AudioSlice: BitwiseCopyable {
  /// The number of frames of the host's slice before this part; add it to the slice's time stamp.
  public let offset: Int

  let rows: ChannelRows

  init(_ rows: ChannelRows, offset: Int) {
    self.rows = rows
    self.offset = offset
  }

  /// One pointer per channel, to ``frameCount`` samples each.
  public var channels: UnsafePointer<UnsafeMutablePointer<Float>> { unsafe rows.pointers }

  /// The number of channels, at least 1.
  public var channelCount: Int { rows.channelCount }

  /// The number of frames, at least 1.
  public var frameCount: Int { rows.frameCount }
}

@available(*, unavailable) extension AudioSlice: Sendable {}

extension BandGainProcessor {
  /// Processes a slice in place. Render side.
  ///
  /// - Parameter slice: Must have the processor's number of channels.
  public func process(_ slice: AudioSlice) {
    precondition(
      slice.channelCount == spec.channelCount,
      "a slice of \(slice.channelCount) channels for a processor of \(spec.channelCount)")
    process(slice.rows)
  }
}
