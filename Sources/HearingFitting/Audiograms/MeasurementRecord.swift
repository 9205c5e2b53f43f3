/// The record of a measurement with this package's hearing test: the procedure, and the reliability
/// of the result.
///
///     if let record = profile.record, !record.notes.isEmpty { print(record.notes) }
///
/// The measured thresholds are in the audiograms of the profile. The audiograms also mark masked
/// points and no-response points.
public struct MeasurementRecord: Sendable, Equatable {
  /// The uncertainty of one threshold.
  public struct Threshold: Sendable, Equatable {
    /// The ear.
    public var ear: Ear
    /// Frequency in Hz.
    public var frequency: Double
    /// The standard deviation of the threshold in dB.
    public var standardDeviation: Double
    /// The lower end in dB HL of the interval that contains the threshold with 90 % probability.
    public var lowest: Double
    /// The upper end in dB HL of the interval that contains the threshold with 90 % probability.
    public var highest: Double
    /// True if the other ear was not masked and may have heard the tone.
    public var needsMasking: Bool

    /// Creates the uncertainty of a threshold. Levels are in dB HL.
    public init(
      ear: Ear, frequency: Double, standardDeviation: Double, lowest: Double, highest: Double,
      needsMasking: Bool = false
    ) {
      self.ear = ear
      self.frequency = frequency
      self.standardDeviation = standardDeviation
      self.lowest = lowest
      self.highest = highest
      self.needsMasking = needsMasking
    }
  }

  /// A threshold that was measured twice.
  public struct Repeat: Sendable, Hashable, Codable {
    /// The ear.
    public var ear: Ear
    /// Frequency in Hz.
    public var frequency: Double
    /// The first result in dB HL.
    public var first: Double
    /// The second result in dB HL.
    public var second: Double

    /// Creates the two results of a threshold that was measured twice. Both results are in dB HL.
    public init(ear: Ear, frequency: Double, first: Double, second: Double) {
      self.ear = ear
      self.frequency = frequency
      self.first = first
      self.second = second
    }
  }

  /// A reason not to rely on the result.
  ///
  /// Values other than the constants below are allowed and are stored unchanged.
  public struct Note: RawRepresentable, Sendable, Hashable, Codable {
    /// The name that files use, such as "false-alarms".
    public let rawValue: String

    /// Creates a note with this name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The listener often pressed the button in silence.
    public static let falseAlarms = Note(rawValue: "false-alarms")
    /// The listener often missed tones well above the measured thresholds.
    public static let missedTones = Note(rawValue: "missed-tones")
    /// The two measurements of a threshold differ too much.
    public static let repeats = Note(rawValue: "repeats")
    /// The answers contradict each other.
    public static let contradictions = Note(rawValue: "contradictions")
    /// The listener never pressed the button.
    public static let noResponses = Note(rawValue: "no-responses")
    /// The headphone was not calibrated, so the levels are only nominal.
    public static let uncalibrated = Note(rawValue: "uncalibrated")
    /// The other ear may have heard tones and was not masked.
    public static let maskingMissing = Note(rawValue: "masking-missing")
    /// The room was too loud at times.
    public static let ambientNoise = Note(rawValue: "ambient-noise")
    /// Volume or audio settings changed during the test.
    public static let calibrationChange = Note(rawValue: "calibration-change")
    /// The listener answered slowly. The test waited for the answers.
    public static let slowAnswers = Note(rawValue: "slow-answers")

    /// The notes which say that the listener's answers are unreliable.
    public static let unreliableAnswers: Set<Note> = [
      .falseAlarms, .missedTones, .repeats, .contradictions, .noResponses,
    ]
  }

  /// The name of the procedure, such as "bayesian" or "hughson-westlake".
  public var procedure: String
  /// The headphone and its configuration.
  public var headphone: String
  /// The number of tones presented.
  public var toneCount: Int
  /// The uncertainty of each threshold.
  public var thresholds: [Threshold]
  /// Thresholds that were measured twice.
  public var repeats: [Repeat]
  /// The number of silent intervals in which presses of the button were counted.
  public var silenceCount: Int
  /// The number of these silent intervals in which the listener pressed the button.
  public var falseAlarmCount: Int
  /// The reasons not to rely on the result.
  public var notes: [Note]

  /// Creates a record of a measurement.
  public init(
    procedure: String, headphone: String, toneCount: Int = 0, thresholds: [Threshold] = [],
    repeats: [Repeat] = [], silenceCount: Int = 0, falseAlarmCount: Int = 0, notes: [Note] = []
  ) {
    self.procedure = procedure
    self.headphone = headphone
    self.toneCount = toneCount
    self.thresholds = thresholds
    self.repeats = repeats
    self.silenceCount = silenceCount
    self.falseAlarmCount = falseAlarmCount
    self.notes = notes
  }

  /// Whether the listener's answers are reliable.
  public var isReliable: Bool { Note.unreliableAnswers.isDisjoint(with: notes) }

  /// The uncertainty of one ear's threshold at a frequency in Hz; nil if unknown.
  public func threshold(of ear: Ear, at frequency: Double) -> Threshold? {
    thresholds.first { $0.ear == ear && $0.frequency == frequency }
  }
}
