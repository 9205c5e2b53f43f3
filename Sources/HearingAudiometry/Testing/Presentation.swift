public import HearingFitting

/// One presentation of a tone: a wait of random length, the tone, and a short time after the tone
/// in which the listener can still answer. In a catch trial, silence replaces the tone.
///
/// The app plays the presentation, observes the button during the whole presentation, and passes
/// the answer to ``ToneTest/answer(_:after:)``. ``PresentationSound`` creates the samples.
public struct Presentation: Sendable, Hashable, Codable {
  /// Noise for the ear that is not tested, in a third-octave band around the frequency of the tone.
  package struct Masking: Sendable, Hashable, Codable {
    /// The effective masking level in dB HL: the threshold of the masked ear for the tone during
    /// the noise.
    package let level: Double
  }

  /// The ear that is tested.
  public let ear: Ear
  /// The frequency of the tone in Hz.
  public let frequency: Double
  /// The level of the tone in dB HL.
  public let level: Double
  /// The shape of the tone over time.
  public let tone: ToneShape
  /// Whether the presentation is a catch trial, in which silence replaces the tone.
  public let isSilent: Bool
  /// The masking noise for the other ear during the whole presentation; nil if there is no noise.
  package let masking: Masking?
  /// The effective masking level in dB HL of the noise for the other ear; nil if there is no noise.
  /// The noise is a third-octave band around the frequency of the tone, and lasts for the whole
  /// presentation. The effective masking level is the threshold of the other ear for the tone
  /// during the noise.
  public var maskingLevel: Double? { masking?.level }
  /// The silence before the tone, in seconds. The length of the silence is random, so that the
  /// listener cannot predict the tone.
  public let wait: Double

  /// The minimum silence before the tone, in seconds. ISO 8253-1 requires a wait that is at least
  /// as long as a tone.
  public static let shortestWait = 1.3
  /// The maximum silence before the tone, in seconds.
  public static let longestWait = 3.0
  /// The minimum value of ``responseTail`` in seconds. ``ToneTest`` uses the minimum for a listener
  /// who answers quickly.
  public static let shortestTail = 1.0
  /// The maximum value of ``responseTail`` in seconds. ``ToneTest`` uses the maximum for a listener
  /// who answers slowly, and for the first tones of a test.
  public static let longestTail = 2.0
  /// The time in seconds after the end of the tone in which a press of the button still counts.
  public var responseTail: Double { tail ?? Self.shortestTail }
  private let tail: Double?
  /// The valid values of ``responseTail`` in seconds.
  static let responseTails: ClosedRange<Double> = 0...60

  /// Creates a presentation. ``ToneTest`` creates the presentations of a test. The valid range of
  /// ``responseTail`` is 0 to 60 s.
  public init(
    ear: Ear, frequency: Double, level: Double, tone: ToneShape = .pulsed, isSilent: Bool = false,
    maskingLevel: Double? = nil, wait: Double = Self.shortestWait,
    responseTail: Double = Self.shortestTail
  ) {
    tail = responseTail == Self.shortestTail ? nil : responseTail
    self.ear = ear
    self.frequency = frequency
    self.level = level
    self.tone = tone
    self.isSilent = isSilent
    masking = maskingLevel.map(Masking.init(level:))
    self.wait = wait
  }

  #if !hasFeature(Embedded)
    private enum CodingKeys: String, CodingKey {
      case ear, frequency, level, tone, isSilent, masking, wait, tail
    }

    /// Decodes a presentation.
    ///
    /// - Throws: `DecodingError`, for example if the ``responseTail`` is outside 0 to 60 s.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let tail = try container.decodeIfPresent(Double.self, forKey: .tail) ?? Self.shortestTail
      guard Self.responseTails.contains(tail) else {
        let error = HearingTestError.responseTail(tail)
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: container.codingPath + [CodingKeys.tail],
            debugDescription: error.description, underlyingError: error))
      }
      self.init(
        ear: try container.decode(Ear.self, forKey: .ear),
        frequency: try container.decode(Double.self, forKey: .frequency),
        level: try container.decode(Double.self, forKey: .level),
        tone: try container.decode(ToneShape.self, forKey: .tone),
        isSilent: try container.decode(Bool.self, forKey: .isSilent),
        maskingLevel: try container.decodeIfPresent(Masking.self, forKey: .masking)?.level,
        wait: try container.decode(Double.self, forKey: .wait), responseTail: tail)
    }
  #endif

  /// The time after the start of the tone in which a press of the button counts as a response.
  public var responseWindow: Duration { .seconds(tone.duration + responseTail) }

  /// The duration of the whole presentation in seconds: the wait, the tone and the
  /// ``responseTail``.
  public var duration: Double { wait + tone.duration + responseTail }
}

extension Ear {
  /// The other ear of the listener.
  var other: Ear {
    switch self {
    case .left: .right
    case .right: .left
    }
  }
}
