internal import HearingBuffers
public import HearingDSP

/// Protects a renderer from hosts that request more frames in one call than the renderer supports.
///
///     let sliceGuard = SliceGuard(sampleRate: 44_100, channelCount: 2)
///     host.preferredBufferDuration = sliceGuard.preferredBufferDuration
///     …
///     // in the host's render call:
///     status = sliceGuard.render(
///       channels, frameCount: count, outputIsSilence: &isSilence
///     ) { slice in
///       processor.process(slice)
///       return .success
///     }
///
/// A slice is the block of frames that a host requests in one render call. A phone usually requests
/// 1,024 frames per slice. While the screen is locked, the phone requests 4,096 frames per slice.
/// When a hearing aid connects, the phone requests more than 4,096 frames per slice.
/// ``splitsSlices`` determines whether the guard splits or silences a slice that is too large. If
/// the renderer returns an error, the guard zeroes all samples of the slice, sets
/// `outputIsSilence`, and returns the renderer's status. After an error, the next slice is rendered
/// normally.
///
/// An episode is a period in which slices are too large. A slice is too large if it has more than
/// ``maximumFrameCount`` frames, or if the renderer returns ``RenderStatus/tooManyFrames``. A slice
/// that the guard splits also counts as too large. The episode ends with the first slice that is
/// not too large. The guard publishes an event to ``events`` at the start and at the end of an
/// episode. At the start of an episode, the app can set the host's buffer duration to
/// ``preferredBufferDuration`` again; see ``observeEpisodes(through:began:ended:)``. While the
/// guard silences slices that are too large, the guard publishes further events, at most ten times
/// a second.
///
/// The method `render` is real-time safe: `render` does not allocate memory, lock, count references
/// or wait. The guard does not convert sample rates.
public final class SliceGuard {
  /// The sample rate in Hz.
  public let sampleRate: Double

  /// The number of channels, at least 1.
  public let channelCount: Int

  /// The maximum number of frames in one call of the renderer.
  public let maximumFrameCount: Int

  /// Whether the guard splits a slice that is too large, and calls the renderer once for each part.
  /// The output of a split slice is bit-identical to the output that smaller slices would have.
  ///
  /// If `splitsSlices` is false, the guard silences a slice that is too large, and returns
  /// ``RenderStatus/tooManyFrames``. Set `splitsSlices` to false for a renderer that cannot be
  /// called twice in one render cycle.
  public let splitsSlices: Bool

  /// The event ring to which the guard publishes the start and the end of episodes. An event ring
  /// is a buffer of limited size that the render thread can write without waiting.
  public let events = RenderEventRing()

  let state: OwnedRow<State>

  /// The minimum time in seconds between two events during an episode.
  private static let repeatInterval = 0.1

  /// The variables that the render thread uses.
  struct State: ~Copyable {
    let events: RenderEventWriter
    /// Pointers to the current part of the host's slice.
    let part: ChannelTable
    /// Pointers to the channels of the host's slice, if the slice is a buffer list.
    let host: ChannelTable
    /// Memory for samples that are converted to planar 32-bit floating point.
    let converted: ChannelTable
    /// The number of frames in all slices since the guard was created.
    var frame: Int64 = 0
    /// The content of `frame` when the latest event was published.
    var lastReport: Int64 = 0
    var isInEpisode = false
  }

  /// Creates a guard for one audio stream.
  ///
  /// - Parameters:
  ///   - sampleRate: The sample rate in Hz, more than 0.
  ///   - channelCount: The number of channels, at least 1.
  ///   - maximumFrameCount: The maximum number of frames that the renderer supports, at least 1.
  ///     The default is 4,096.
  ///   - splitsSlices: Whether a larger slice is split. If `splitsSlices` is false, the larger
  ///     slice is silenced. The default is true.
  public init(
    sampleRate: Double, channelCount: Int, maximumFrameCount: Int = 4_096,
    splitsSlices: Bool = true
  ) {
    precondition(sampleRate > 0 && sampleRate.isFinite, "a sample rate of \(sampleRate) Hz")
    precondition(channelCount >= 1, "\(channelCount) channels")
    precondition(maximumFrameCount >= 1, "slices of \(maximumFrameCount) frames")
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.maximumFrameCount = maximumFrameCount
    self.splitsSlices = splitsSlices
    state = OwnedRow(
      State(
        events: events.writer, part: ChannelTable(channelCount: channelCount),
        host: ChannelTable(channelCount: channelCount),
        converted: ChannelTable(channelCount: channelCount, capacity: maximumFrameCount)))
  }

  /// The buffer duration in seconds that the app should set on the host. The duration is
  /// ``maximumFrameCount`` / ``sampleRate``. Any thread can read this property at any time.
  public var preferredBufferDuration: Double { Double(maximumFrameCount) / sampleRate }
}

extension SliceGuard {
  /// Renders a host's slice. Call this method on the render thread only.
  ///
  /// - Parameters:
  ///   - channels: A list with one pointer per channel. The samples may contain the input of an
  ///     effect.
  ///   - frameCount: The number of frames, at least 0.
  ///   - outputIsSilence: Set to true if the guard silenced the output. If the guard did not
  ///     silence the output, `outputIsSilence` does not change.
  ///   - renderer: Renders a part of at most ``maximumFrameCount`` frames in place, and returns a
  ///     status. The closure is called for each part in order. If a part fails, the closure is not
  ///     called for later parts.
  /// - Returns: ``RenderStatus/success``, or the reason why the output is silent.
  public func render(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int,
    outputIsSilence: inout Bool, by renderer: (AudioSlice) -> RenderStatus
  ) -> RenderStatus {
    precondition(frameCount >= 0, "a slice of \(frameCount) frames")
    // Unsafe: the caller guarantees that each row has `frameCount` frames.
    let rows = unsafe ChannelRows(
      pointers: channels, channelCount: channelCount, frameCount: frameCount)
    return render(rows, &outputIsSilence, renderer)
  }

  func render(
    _ rows: ChannelRows, _ outputIsSilence: inout Bool, _ renderer: (AudioSlice) -> RenderStatus
  ) -> RenderStatus {
    renderParts(
      rows.frameCount, true, &outputIsSilence, silence: { rows.silence(count: rows.frameCount) }
    ) { offset, count in
      let isWhole = count == rows.frameCount
      let part = isWhole ? rows : state[0].part.part(of: rows, from: offset, count: count)
      return renderer(AudioSlice(offset: offset, rows: part))
    }
  }

  /// Calls `renderPart` with the offset and the frame count of each part of a slice. A slice that
  /// is not too large has one part. If ``splitsSlices`` is false, rejects a slice that is too
  /// large. Publishes an event at the start and at the end of an episode. If `isSuitable` is false
  /// or a part fails, calls `silence` and sets `outputIsSilence`.
  func renderParts(
    _ frameCount: Int, _ isSuitable: Bool, _ outputIsSilence: inout Bool, silence: () -> Void,
    by renderPart: (Int, Int) -> RenderStatus
  ) -> RenderStatus {
    var status = isSuitable ? RenderStatus.success : .unsuitableBuffers
    if isSuitable, frameCount > 0 {
      let isTooLarge = frameCount > maximumFrameCount
      if isTooLarge, !splitsSlices { status = .tooManyFrames }
      var offset = 0
      while offset < frameCount, status == .success {
        let count = min(maximumFrameCount, frameCount - offset)
        status = renderPart(offset, count)
        offset += count
      }
      note(isTooLarge, isFailing: status == .tooManyFrames, frameCount: frameCount)
    }
    if status != .success {
      silence()
      outputIsSilence = true
    }
    return status
  }

  /// Publishes an event at the start and at the end of an episode. If a slice fails because of its
  /// size during an episode, publishes `stillTooManyFrames`. This event is published at most ten
  /// times a second.
  private func note(_ isTooLarge: Bool, isFailing: Bool, frameCount: Int) {
    let isTooLarge = isTooLarge || isFailing
    let frame = state[0].frame
    state[0].frame = frame + Int64(frameCount)
    let kind: RenderEvent.Kind
    switch (isTooLarge, state[0].isInEpisode) {
    case (true, false): kind = .tooManyFrames
    case (true, true):
      let elapsed = Double(frame - state[0].lastReport)
      guard isFailing, elapsed >= sampleRate * Self.repeatInterval else { return }
      kind = .stillTooManyFrames
    case (false, true): kind = .slicesFitAgain
    case (false, false): return
    }
    state[0].isInEpisode = isTooLarge
    state[0].lastReport = frame
    state[0].events.publish(RenderEvent(kind, frame: frame, value: Double(frameCount)))
  }

  /// Renders the valid frames of a block in place. Call this method on the render thread only.
  ///
  /// - Parameters:
  ///   - block: A block with ``channelCount`` channels.
  ///   - outputIsSilence: Set to true if the guard silenced the output.
  ///   - renderer: Renders a part of the block in place.
  /// - Returns: ``RenderStatus/success``, or the reason why the output is silent.
  public func render(
    _ block: AudioBlock, outputIsSilence: inout Bool, by renderer: (AudioSlice) -> RenderStatus
  ) -> RenderStatus {
    block.check(channelCount)
    return withExtendedLifetime(block) { render(block.rows, &outputIsSilence, renderer) }
  }
}

// The class is Sendable because all properties are constant and `events` is thread-safe. Only the
// render thread uses the memory of `state`. The memory of `state` is freed after the last reference
// to the guard has been released.
extension SliceGuard: @unchecked Sendable {}
