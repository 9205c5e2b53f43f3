/// The sound levels of a headphone at one volume and one setting of the audio effects. For each
/// frequency, a calibration contains two levels in dB SPL: the level of a sine of amplitude 1 (full
/// scale), and the level of 0 dB HL. The calibration also limits the level of all tones.
///
///     let calibration = try HeadphoneCalibration(
///       name: "HDA 200 at 80 %", referenceThresholds: .hda200,
///       fullScaleLevels: [125: 112, 1000: 115, 8000: 108])
///
/// A calibration is valid only for one headphone, one system volume, and one setting of the
/// equaliser, spatial audio and noise cancelling. If the headphone, the volume or a setting changes
/// during a test, call ``ToneTest/noteCalibrationChange()``.
///
/// A test uses only calibrated frequencies. The levels at other frequencies are not interpolated.
public struct HeadphoneCalibration: Sendable, Hashable {
  /// The levels at one frequency.
  package struct Point: Sendable, Hashable, Codable {
    /// The calibrated frequency in Hz.
    package let frequency: Double
    /// The level in dB SPL that a steady sine of amplitude 1 produces in the coupler. A coupler is
    /// the cavity with a microphone in which headphones are measured.
    package let fullScaleLevel: Double
    /// The level in dB SPL that corresponds to 0 dB HL in the coupler.
    package let referenceThreshold: Double
  }

  /// The reason why values are not a valid calibration.
  public enum Invalid: Error, Sendable, Equatable {
    /// The calibration contains no frequency.
    case noPoints
    /// There are more than ``HeadphoneCalibration/maximumPointCount`` frequencies.
    case tooManyPoints(count: Int)
    /// A frequency is outside 100 to 20,000 Hz, is not a number, or occurs twice.
    case frequency(Double)
    /// A level is outside -50 to 150 dB SPL or is not a number.
    case level(Double, frequency: Double)
    /// There is no reference threshold at a calibrated frequency. `frequency` is this frequency in
    /// Hz.
    case noReferenceThreshold(frequency: Double)
    /// The maximum level of a tone in dB HL or in dB SPL is not a number, is negative, or is above
    /// the default value.
    case unsafeLimit(Double)
    /// The interaural attenuation (the attenuation of a tone between the two ears) is outside 20 to
    /// 100 dB.
    case interauralAttenuation(Double)
  }

  /// The maximum number of frequencies: 100.
  public static let maximumPointCount = 100
  /// The highest permitted value of ``hearingLevelLimit``: 85 dB HL.
  public static let safeHearingLevel = 85.0
  /// The highest permitted value of ``soundPressureLimit``: 100 dB SPL.
  public static let safeSoundPressureLevel = 100.0
  /// The default value of ``interauralAttenuation``: 40 dB.
  public static let standardInterauralAttenuation = 40.0

  /// The name of the headphone and its setting, for reports.
  public let name: String
  /// Whether the levels of the headphone were measured. If the levels were not measured, the
  /// results of hearing tests are marked as uncalibrated. Before an app uses uncalibrated results
  /// for a fitting, the app should ask for the listener's consent.
  public let isCalibrated: Bool
  /// The calibrated frequencies and their levels, in order of rising frequency.
  package let points: [Point]
  /// The calibrated frequencies in Hz, in rising order.
  public var frequencies: [Double] { points.map { $0.frequency } }
  /// The maximum hearing level of a tone in dB HL, at most ``safeHearingLevel``.
  public let hearingLevelLimit: Double
  /// The maximum sound pressure level of a tone in dB SPL, at most ``safeSoundPressureLevel``.
  public let soundPressureLimit: Double
  /// The minimum interaural attenuation in dB: the attenuation of a tone on its way across the
  /// head, from one ear to the other ear.
  ///
  /// For supra-aural and circumaural headphones, the minimum interaural attenuation is 40 dB
  /// (Chaiklin 1967; British Society of Audiology 2018). For insert earphones, the minimum
  /// interaural attenuation is 55 dB (British Society of Audiology 2018).
  public let interauralAttenuation: Double

  /// Creates a calibration from measured levels.
  ///
  /// - Parameters:
  ///   - name: The name of the headphone and its setting.
  ///   - referenceThresholds: The levels in dB SPL that correspond to 0 dB HL, for the measured
  ///     headphone and coupler.
  ///   - fullScaleLevels: The levels of a steady sine of amplitude 1. The keys are the frequencies
  ///     in Hz, and the values are the levels in dB SPL.
  ///   - hearingLevelLimit: The maximum level of a tone in dB HL, at most 85.
  ///   - soundPressureLimit: The maximum level of a tone in dB SPL, at most 100.
  ///   - interauralAttenuation: The minimum attenuation in dB of a tone between the two ears, 20 to
  ///     100.
  /// - Throws: ``Invalid`` if a value is not valid.
  public init(
    name: String, referenceThresholds: ReferenceThresholds,
    fullScaleLevels: [Double: Double], hearingLevelLimit: Double = Self.safeHearingLevel,
    soundPressureLimit: Double = Self.safeSoundPressureLevel,
    interauralAttenuation: Double = Self.standardInterauralAttenuation
  ) throws(Invalid) {
    var points: [Point] = []
    for (frequency, level) in fullScaleLevels.sorted(by: { $0.key < $1.key }) {
      guard let threshold = referenceThresholds.level(at: frequency) else {
        throw .noReferenceThreshold(frequency: frequency)
      }
      points.append(
        Point(frequency: frequency, fullScaleLevel: level, referenceThreshold: threshold))
    }
    try self.init(
      name: name, isCalibrated: true, points: points, hearingLevelLimit: hearingLevelLimit,
      soundPressureLimit: soundPressureLimit, interauralAttenuation: interauralAttenuation)
  }

  /// Creates a calibration for a headphone that was not measured. The calibration assumes that a
  /// sine of amplitude 1 has the level `fullScaleLevel` at every frequency of ISO 389-8. The
  /// results of tests with the assumed level are marked as uncalibrated.
  ///
  /// If the full-scale level is uncertain, choose a high value. With a value that is too high, the
  /// tones are softer than intended. With a value that is too low, the tones are louder than
  /// intended.
  ///
  /// - Parameter fullScaleLevel: The level of a sine of amplitude 1, in dB SPL, 60 to 150.
  public static func uncalibrated(fullScaleLevel: Double = 115) -> HeadphoneCalibration {
    precondition((60...150).contains(fullScaleLevel), "a full scale of \(fullScaleLevel) dB SPL")
    let points = ReferenceThresholds.hda200.levels.map {
      Point(
        frequency: $0.frequency, fullScaleLevel: fullScaleLevel, referenceThreshold: $0.level)
    }
    do {
      return try HeadphoneCalibration(
        name: "uncalibrated", isCalibrated: false, points: points,
        hearingLevelLimit: safeHearingLevel, soundPressureLimit: safeSoundPressureLevel,
        interauralAttenuation: standardInterauralAttenuation)
    } catch {
      preconditionFailure("constant levels do not form a calibration: \(error)")
    }
  }

  init(
    name: String, isCalibrated: Bool, points: [Point], hearingLevelLimit: Double,
    soundPressureLimit: Double, interauralAttenuation: Double
  ) throws(Invalid) {
    guard !points.isEmpty else { throw .noPoints }
    guard points.count <= Self.maximumPointCount else { throw .tooManyPoints(count: points.count) }
    var seen: Set<Double> = []
    for point in points {
      guard (100...20_000).contains(point.frequency), seen.insert(point.frequency).inserted else {
        throw .frequency(point.frequency)
      }
      for level in [point.fullScaleLevel, point.referenceThreshold]
      where !(-50...150).contains(level) {
        throw .level(level, frequency: point.frequency)
      }
    }
    guard (0...Self.safeHearingLevel).contains(hearingLevelLimit) else {
      throw .unsafeLimit(hearingLevelLimit)
    }
    guard (0...Self.safeSoundPressureLevel).contains(soundPressureLimit) else {
      throw .unsafeLimit(soundPressureLimit)
    }
    guard (20...100).contains(interauralAttenuation) else {
      throw .interauralAttenuation(interauralAttenuation)
    }
    self.name = name
    self.isCalibrated = isCalibrated
    self.points = points.sorted { $0.frequency < $1.frequency }
    self.hearingLevelLimit = hearingLevelLimit
    self.soundPressureLimit = soundPressureLimit
    self.interauralAttenuation = interauralAttenuation
  }

  /// The levels at a frequency in Hz; nil if the calibration does not contain the frequency.
  package func point(at frequency: Double) -> Point? {
    points.first { $0.frequency == frequency }
  }

  /// The maximum level in dB HL at a frequency in Hz; nil if the frequency is not calibrated.
  ///
  /// The maximum level is the lowest of three levels: ``hearingLevelLimit``, ``soundPressureLimit``
  /// and the level of full scale. Levels in dB SPL are first converted to dB HL.
  public func largestLevel(at frequency: Double) -> Double? {
    point(at: frequency).map {
      min(
        hearingLevelLimit, soundPressureLimit - $0.referenceThreshold,
        $0.fullScaleLevel - $0.referenceThreshold)
    }
  }
}

extension HeadphoneCalibration.Invalid: CustomStringConvertible {
  /// A one-line description of the error, with the invalid value.
  public var description: String {
    switch self {
    case .noPoints: "a calibration needs at least one frequency"
    case .tooManyPoints(let count):
      "\(count) frequencies, but a calibration has at most "
        + "\(HeadphoneCalibration.maximumPointCount)"
    case .frequency(let frequency):
      "\(frequency) Hz is outside 100 to 20000 Hz or occurs more than once"
    case .level(let level, let frequency):
      "\(level) dB SPL at \(frequency) Hz is outside -50 to 150 dB SPL"
    case .noReferenceThreshold(let frequency):
      "the reference thresholds have no value at \(frequency) Hz"
    case .unsafeLimit(let level):
      "a limit of \(level) dB is outside 0 to 85 dB HL and 0 to 100 dB SPL"
    case .interauralAttenuation(let value):
      "an interaural attenuation of \(value) dB is outside 20 to 100 dB"
    }
  }
}
