/// The alignment of playback and microphone in a host with two threads.
public struct HostAlignment: Sendable, Equatable {
  /// The drift in ppm: how much faster the clock of `render` is than the clock of `capture`. It is
  /// 0 until the drift is known.
  public let drift: Double

  /// The time in seconds from rendering a sample of the reference to reading it. This lag
  /// compensates for late threads.
  public let lag: Double

  /// How often reference samples were needed before they were rendered.
  public let underruns: Int

  /// How often reference samples were dropped because nothing was captured for more than a second.
  public let overruns: Int
}

extension VoiceProcessor {
  /// The alignment of the two threads of ``render(farVoice:otherAudio:playback:frameCount:)`` and
  /// ``capture(microphone:uplink:frameCount:)`` as of the last block. Any thread, wait-free.
  public var hostAlignment: HostAlignment {
    HostAlignment(
      drift: link.drift.isNaN ? 0 : Double(link.drift), lag: Double(link.lag) / sampleRate,
      underruns: Int(link.underruns), overruns: Int(link.overruns))
  }
}
