/// How playback and microphone of a host with two threads lie to each other.
public struct HostAlignment: Sendable, Equatable {
  /// How much faster the clock of `render` is than that of `capture`, in ppm; 0 until it is known.
  public let drift: Double

  /// The time by which the reference is read behind its rendering, in seconds: it absorbs late threads.
  public let lag: Double

  /// Times that a reference was needed before it was rendered.
  public let underruns: Int

  /// Times that a reference was dropped, because nothing was captured for more than a second.
  public let overruns: Int
}

extension VoiceProcessor {
  /// The alignment of the two threads of ``render(farVoice:otherAudio:playback:frameCount:)`` and
  /// ``capture(microphone:uplink:frameCount:)`` as of the last block. Any thread, wait-free.
  public var hostAlignment: HostAlignment {
    HostAlignment(
      drift: Double(link.drift), lag: Double(link.lag) / sampleRate,
      underruns: Int(link.underruns), overruns: Int(link.overruns))
  }
}
