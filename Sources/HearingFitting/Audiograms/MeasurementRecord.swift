/// The record of a measurement with this package's hearing test: the procedure, and the reliability
/// of the result.
///
///     if let record = profile.record, !record.notes.isEmpty { print(record.notes) }
///
/// The record does not contain the measured thresholds. The audiograms of the ``HearingProfile``
/// contain the thresholds. The points of the audiograms also have flags for masking and for a
/// missing response.
///
/// In a file, the numbers of a record have limits. Frequencies are from 100 to 20,000 Hz. Levels
/// are from -200 to 300 dB HL. Standard deviations are from 0 to 1000 dB. A record has at most
/// 20,000 tones and 20,000 silent intervals. Each list has at most 20,000 entries. If the file
/// contains the key `silenceCount`, the number of false alarms is at most the number of silent
/// intervals.
///
/// The encoder omits each ``Threshold`` and each ``Repeat`` with a number outside the limits. For
/// the decoder, a number outside the limits is an error.
public struct MeasurementRecord: Sendable, Equatable {
  /// The uncertainty of one threshold.
  public struct Threshold: Sendable, Equatable, Codable {
    /// The ear that was measured.
    public var ear: Ear
    /// The frequency of the tones in Hz.
    public var frequency: Double
    /// The standard deviation of the threshold in dB.
    public var standardDeviation: Double
    /// The lower limit of the interval that contains the threshold with a probability of 90 %, in
    /// dB HL.
    public var lowest: Double
    /// The upper limit of the interval that contains the threshold with a probability of 90 %, in
    /// dB HL.
    public var highest: Double
    /// True if the other ear was not masked and may have heard the test tones.
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
    /// The ear that was measured.
    public var ear: Ear
    /// The frequency of the tones in Hz.
    public var frequency: Double
    /// The threshold from the first measurement, in dB HL.
    public var first: Double
    /// The threshold from the second measurement, in dB HL.
    public var second: Double

    /// Creates a record of two measurements of the same threshold. Both thresholds are in dB HL.
    public init(ear: Ear, frequency: Double, first: Double, second: Double) {
      self.ear = ear
      self.frequency = frequency
      self.first = first
      self.second = second
    }
  }

  /// A reason why the result of the hearing test may be wrong or incomplete.
  ///
  /// An app may use a note that is not predefined. The name of such a note is stored unchanged.
  public struct Note: RawRepresentable, Sendable, Hashable, Codable {
    /// The name of the note in files, such as "false-alarms".
    public let rawValue: String

    /// Creates a note from its name in files.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The listener often pressed the button in silence.
    public static let falseAlarms = Note(rawValue: "false-alarms")
    /// The listener often missed tones well above the measured thresholds.
    public static let missedTones = Note(rawValue: "missed-tones")
    /// A threshold was measured twice, and the two results differ too much.
    public static let repeats = Note(rawValue: "repeats")
    /// The listener's answers contradict each other.
    public static let contradictions = Note(rawValue: "contradictions")
    /// The listener never pressed the button.
    public static let noResponses = Note(rawValue: "no-responses")
    /// The test has not ended, so thresholds are missing.
    public static let unfinished = Note(rawValue: "unfinished")
    /// The headphone was not calibrated, so the true levels are unknown.
    public static let uncalibrated = Note(rawValue: "uncalibrated")
    /// The other ear was not masked and may have heard the test tones.
    public static let maskingMissing = Note(rawValue: "masking-missing")
    /// The room was sometimes too loud for the test.
    public static let ambientNoise = Note(rawValue: "ambient-noise")
    /// Volume or audio settings changed during the test.
    public static let calibrationChange = Note(rawValue: "calibration-change")
    /// The listener answered slowly, and the test waited for the answers.
    public static let slowAnswers = Note(rawValue: "slow-answers")

    /// The notes that mark the listener's answers as unreliable or incomplete.
    public static let unreliableAnswers: Set<Note> = [
      .falseAlarms, .missedTones, .repeats, .contradictions, .noResponses, .unfinished,
    ]
  }

  /// The name of the procedure, such as "bayesian" or "hughson-westlake".
  public var procedure: String
  /// The name of the headphone, and the name of the headphone's setting.
  public var headphone: String
  /// The number of tones that were presented.
  public var toneCount: Int
  /// The uncertainty of each threshold.
  public var thresholds: [Threshold]
  /// Thresholds that were measured twice.
  public var repeats: [Repeat]
  /// The number of silent intervals in which a press of the button counts as a false alarm.
  public var silenceCount: Int
  /// The number of silent intervals in which the listener pressed the button (false alarms).
  public var falseAlarmCount: Int
  /// The reasons why the result of the hearing test may be wrong or incomplete.
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

  /// Whether the listener's answers are reliable and complete.
  public var isReliable: Bool { Note.unreliableAnswers.isDisjoint(with: notes) }

  /// The uncertainty of one ear's threshold at a frequency in Hz; nil if unknown.
  public func threshold(of ear: Ear, at frequency: Double) -> Threshold? {
    thresholds.first { $0.ear == ear && $0.frequency == frequency }
  }
}
