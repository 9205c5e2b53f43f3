/// The alignment of playback and microphone in a host with two threads.
public struct HostAlignment: Sendable, Equatable {
  /// By how many ppm the clock of `render` is faster than that of `capture`; 0 until this is known.
  public let drift: Double

  /// The time in seconds between rendering the reference and reading it. It compensates for late
  /// threads.
  public let lag: Double

  /// How often a reference was needed before it was rendered.
  public let underruns: Int

  /// How often a reference was dropped because nothing was captured for more than a second.
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
