public import HearingFitting

/// One presentation to play: a tone or, in a catch trial, silence, after a random wait.
///
/// The app plays it, watches the button from start to end, and passes the answer to
/// ``ToneTest/answer(_:after:)``. ``PresentationSound`` creates the samples.
public struct Presentation: Sendable, Hashable, Codable {
  /// Noise for the ear that is not tested, in a third of an octave around the tone.
  public struct Masking: Sendable, Hashable, Codable {
    /// Effective masking level in dB HL: it raises the threshold of that ear to this level.
    public let level: Double

    /// Noise of a level in dB HL.
    public init(level: Double) {
      self.level = level
    }
  }

  /// The ear that is tested.
  public let ear: Ear
  /// The frequency in Hz.
  public let frequency: Double
  /// The level in dB HL.
  public let level: Double
  /// The shape of the tone over time.
  public let tone: ToneShape
  /// Whether silence is played instead of the tone (a catch trial).
  public let isSilent: Bool
  /// Noise for the other ear, from the start to the end; nil: none.
  public let masking: Masking?
  /// The silence before the tone in seconds, random so that the tone cannot be foreseen.
  public let wait: Double

  /// The shortest wait in seconds: the length of a tone, as ISO 8253-1 requires.
  public static let shortestWait = 1.3
  /// The longest wait in seconds.
  public static let longestWait = 3.0
  /// The shortest time in seconds after the end of the tone in which a press still counts, for a
  /// listener who answers quickly.
  public static let shortestTail = 1.0
  /// The longest such time, for a listener who answers slowly or whose speed is not known yet.
  public static let longestTail = 2.0
  /// The time in seconds after the end of the tone in which a press still counts.
  public var responseTail: Double { tail ?? Self.shortestTail }
  private let tail: Double?

  /// A presentation; ``ToneTest`` creates them.
  public init(
    ear: Ear, frequency: Double, level: Double, tone: ToneShape = .pulsed, isSilent: Bool = false,
    masking: Masking? = nil, wait: Double = Self.shortestWait,
    responseTail: Double = Self.shortestTail
  ) {
    tail = responseTail == Self.shortestTail ? nil : responseTail
    self.ear = ear
    self.frequency = frequency
    self.level = level
    self.tone = tone
    self.isSilent = isSilent
    self.masking = masking
    self.wait = wait
  }

  /// The time after the onset of the tone in which a press counts as a response.
  public var responseWindow: Duration { .seconds(tone.duration + responseTail) }

  /// The whole presentation in seconds: wait, tone and the rest of the window.
  public var duration: Double { wait + tone.duration + responseTail }
}

extension Ear {
  /// The ear on the other side.
  var other: Ear {
    switch self {
    case .left: .right
    case .right: .left
    }
  }
}
