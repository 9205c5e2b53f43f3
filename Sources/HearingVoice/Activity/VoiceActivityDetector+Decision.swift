extension VoiceActivityDetector {
  /// What a detector says about 10 ms of sound.
  public struct Decision: Sendable, Equatable {
    /// Whether somebody talks; without hang-over.
    public var isVoice: Bool

    /// The position of the end of these 10 ms, counted in samples from the first one since the
    /// detector was built or reset: k · rate / 100, rounded up.
    public var frame: Int64

    /// How likely it is that somebody talks, 0…1; voice from ``threshold`` on. Just below that at
    /// most while the lines of the spectrum stand still, as a tone's do, however likely the rest
    /// makes it.
    public var score: Float

    /// The level between 80 Hz and 4 kHz in dB relative to an RMS value of 1.0, at least −120.
    public var level: Float

    /// A decision as a detector makes it.
    @_noLocks @_noAllocation
    public init(isVoice: Bool, frame: Int64, score: Float, level: Float) {
      self.isVoice = isVoice
      self.frame = frame
      self.score = score
      self.level = level
    }
  }
}

extension VoiceActivityDetector.Decision {
  /// The score from which on a frame counts as voice, 0.5.
  public static var threshold: Float {
    @_noLocks @_noAllocation get { VoiceAnalysis.threshold }
  }
}
