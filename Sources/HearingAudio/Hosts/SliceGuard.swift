public import HearingDSP

/// Stands between an audio host and a renderer that takes a limited number of frames at a time.
///
///     let sliceGuard = SliceGuard(sampleRate: 44_100, channelCount: 2)
///     host.preferredBufferDuration = sliceGuard.preferredBufferDuration
///     …
///     // in the host's render call:
///     status = sliceGuard.render(channels, frameCount: count, outputIsSilence: &isSilence) { slice in
///       processor.process(slice)
///       return .success
///     }
///
/// Hosts break their word: one that agreed on 1,024 frames asks for 4,096 when the screen locks, and
/// for more when a hearing aid connects. A larger slice is split, or answered with silence, as
/// ``policy`` says. Any error of the renderer makes the host's whole slice silent: samples zero,
/// `outputIsSilence` set, the renderer's status returned; the next slice is tried afresh.
///
/// While slices are too large, an episode lasts: it begins with a slice of more than
/// ``maximumFrameCount`` frames, under either policy, or when the renderer itself answers
/// ``RenderStatus/tooManyFrames``, and ends with the first slice that fits and that the renderer does
/// not call too large. Its beginning and end are published to ``events``, once each, so that the host
/// can set its buffer duration back: see ``observeEpisodes(through:began:ended:)``.
///
/// `render` keeps the render contract: it never allocates, locks, counts references or waits. What
/// the renderer does is the renderer's. It does not convert formats or rates.
public final class SliceGuard: RenderEventSource {
  /// What happens to a slice that is too large.
  public enum Policy: Sendable, Hashable, CaseIterable {
    /// The renderer is called several times: nothing is lost, and the result is the same to the last
    /// bit as if the host had asked for smaller slices. The default.
    case split
    /// The host gets silence and ``RenderStatus/tooManyFrames``: for a renderer that cannot be
    /// called twice in a cycle.
    case silence
  }

  /// The sample rate in Hz.
  public let sampleRate: Double

  /// The number of channels, at least 1.
  public let channelCount: Int

  /// The most frames that the renderer is asked for at a time.
  public let maximumFrameCount: Int

  /// What happens to a slice that is too large.
  public let policy: Policy

  /// Where episodes are published.
  public let events = RenderEventRing()

  let state: UnsafeMutablePointer<State>

  /// What the render side remembers.
  struct State {
    let events: RenderEventWriter
    /// A pointer for each channel into the part of the host's slice that is rendered.
    let part: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// A pointer for each channel to the host's slice, for hosts that give none.
    let host: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    var frame: Int64 = 0
    var isInEpisode = false
  }

  /// A guard for one stream.
  ///
  /// - Parameters:
  ///   - sampleRate: In Hz, more than 0.
  ///   - channelCount: The number of channels, at least 1.
  ///   - maximumFrameCount: The most frames that the renderer takes at a time, at least 1; default
  ///     4,096.
  ///   - policy: What happens to a slice that is larger; default: it is split.
  public init(
    sampleRate: Double, channelCount: Int, maximumFrameCount: Int = 4_096, policy: Policy = .split
  ) {
    precondition(sampleRate > 0 && sampleRate.isFinite, "a sample rate of \(sampleRate) Hz")
    precondition(channelCount >= 1, "\(channelCount) channels")
    precondition(maximumFrameCount >= 1, "slices of \(maximumFrameCount) frames")
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.maximumFrameCount = maximumFrameCount
    self.policy = policy
    // Every pointer is set before it is used.
    let tables = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: 2 * channelCount)
    state = .allocate(capacity: 1)
    state.initialize(
      to: State(events: events.writer, part: tables, host: tables + channelCount))
  }

  deinit {
    state.pointee.part.deallocate()
    state.deallocate()
  }

  /// The buffer duration in seconds to ask a host for: ``maximumFrameCount`` / ``sampleRate``. Any
  /// thread, also before anything is rendered.
  public var preferredBufferDuration: Double { Double(maximumFrameCount) / sampleRate }
}

// Sendable: everything but `state` is never changed after init, and `events` does its own ordering.
// The memory behind `state` belongs to the render side, which the caller keeps to one thread at a
// time; it is freed in deinit, when nobody is left.
extension SliceGuard: @unchecked Sendable {}
