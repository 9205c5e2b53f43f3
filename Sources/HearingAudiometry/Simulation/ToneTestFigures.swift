public import HearingFitting

/// The accuracy and the length of a test, over many simulated listeners.
@_spi(Measuring)
public struct ToneTestFigures: Sendable {
  /// The properties that all simulated listeners share; their thresholds differ.
  public struct Conditions: Sendable {
    /// The standard deviation of the psychometric function in dB.
    public var spread = 4.0
    /// The share of false alarms.
    public var falseAlarms = 0.02
    /// The share of lapses.
    public var lapses = 0.02
    /// How they use the button.
    public var habit = SimulatedListener.Habit.attentive
    /// Whether the better ear is known to the test.
    public var isBetterEarKnown = true

    /// The conditions of the comparison: 4 dB, 2 % errors.
    public init() {}
  }

  /// The number of ears tested.
  public private(set) var earCount = 0
  /// The number of tones presented.
  public private(set) var toneCount = 0
  /// The number of true thresholds.
  public private(set) var thresholdCount = 0
  /// The number of thresholds found with an error of at most 10 dB, or rightly reported as "no
  /// response".
  public private(set) var withinTen = 0
  /// The number of thresholds within the safe range; only these count for the error.
  public private(set) var measurableCount = 0
  /// The sum of the errors in dB.
  public private(set) var errorSum = 0.0
  /// The sum of the magnitudes of the errors in dB.
  public private(set) var magnitudeSum = 0.0
  /// The number of thresholds that lie within the interval reported for them.
  public private(set) var coveredCount = 0
  /// The number of thresholds whose reported interval has two ends.
  public private(set) var intervalCount = 0
  /// The number of listeners who can hear at least one tone at a safe level. All others never press
  /// the button and are rightly flagged.
  public private(set) var listenerCount = 0
  /// The number of those listeners who were flagged as unreliable.
  public private(set) var flaggedCount = 0
  /// The number of times that each concern was raised.
  public private(set) var concerns: [Reliability.Concern: Int] = [:]
  /// A histogram of the errors, each divided by its stated standard deviation, over the ten deciles
  /// of the normal distribution. The counts are equal if the stated uncertainty is right.
  public private(set) var shares = [Int](repeating: 0, count: 10)

  /// Creates figures without any listener.
  public init() {}

  /// The mean number of tones per ear.
  public var tones: Double { Double(toneCount) / Double(earCount) }
  /// The mean error in dB; positive if the test finds thresholds too high.
  public var bias: Double { errorSum / Double(measurableCount) }
  /// The mean magnitude of the error in dB.
  public var meanAbsoluteError: Double { magnitudeSum / Double(measurableCount) }
  /// The share of thresholds found with an error of at most 10 dB.
  public var shareWithinTen: Double { Double(withinTen) / Double(thresholdCount) }
  /// The share of intervals that contain the threshold.
  public var coverage: Double { Double(coveredCount) / Double(intervalCount) }
  /// The share of listeners who were flagged.
  public var shareFlagged: Double { Double(flaggedCount) / Double(listenerCount) }

  /// Lets one listener take the test and adds the outcome.
  ///
  /// - Parameter progress: Called after each answer with the test.
  public mutating func add(
    _ number: Int, seed: UInt64, method: ToneTestMethod, conditions: Conditions = Conditions(),
    progress: (ToneTest, HearingProfile) -> Void = { _, _ in }
  ) {
    let member = ListenerPopulation.member(number, seed: seed)
    var listener = SimulatedListener(
      profile: member.profile, spread: conditions.spread, falseAlarms: conditions.falseAlarms,
      lapses: conditions.lapses, interauralAttenuation: member.interauralAttenuation,
      habit: conditions.habit, seed: seed &+ UInt64(number))
    var test = Self.test(
      method, ears: conditions.isBetterEarKnown ? member.ears : [.right, .left],
      seed: UInt64(number))
    listener.take(&test) { progress($0, member.profile) }
    add(test, member)
  }

  private mutating func add(_ test: ToneTest, _ member: ListenerPopulation.Member) {
    earCount += 2
    toneCount += test.toneCount
    if Self.hearsAnything(member) {
      let reliability = test.reliability
      listenerCount += 1
      if !reliability.isReliable { flaggedCount += 1 }
      for concern in reliability.concerns { concerns[concern, default: 0] += 1 }
    }
    for estimate in test.estimate {
      guard let truth = member.profile[estimate.ear]?.threshold(at: estimate.frequency),
        let limit = Self.calibration.largestLevel(at: estimate.frequency)
      else { continue }
      thresholdCount += 1
      guard truth <= limit else {
        if estimate.isNoResponse { withinTen += 1 }
        continue
      }
      let error = estimate.threshold - truth
      measurableCount += 1
      errorSum += error
      magnitudeSum += abs(error)
      if abs(error) <= 10 { withinTen += 1 }
      guard !estimate.isNoResponse else { continue }
      intervalCount += 1
      if estimate.interval.contains(truth) { coveredCount += 1 }
      let share = CMath.normalShare(below: -error / max(estimate.standardDeviation, 0.1))
      shares[min(9, Int(share * 10))] += 1
    }
  }

  private static func hearsAnything(_ member: ListenerPopulation.Member) -> Bool {
    ToneTest.standardFrequencies.contains { frequency in
      let limit = calibration.largestLevel(at: frequency) ?? 0
      return Ear.allCases.contains { member.profile[$0]?.threshold(at: frequency) ?? 200 < limit }
    }
  }

  private static func test(_ method: ToneTestMethod, ears: [Ear], seed: UInt64) -> ToneTest {
    do {
      return try ToneTest(method: method, calibration: calibration, ears: ears, seed: seed)
    } catch {
      preconditionFailure("a test of standard frequencies is refused: \(error)")
    }
  }

  /// An HDA 200 whose full scale is far above the safe level.
  private static let calibration = HeadphoneCalibration.uncalibrated(fullScaleLevel: 120)

  /// Adds the figures of other listeners.
  public mutating func merge(_ other: ToneTestFigures) {
    earCount += other.earCount
    toneCount += other.toneCount
    thresholdCount += other.thresholdCount
    withinTen += other.withinTen
    measurableCount += other.measurableCount
    errorSum += other.errorSum
    magnitudeSum += other.magnitudeSum
    coveredCount += other.coveredCount
    intervalCount += other.intervalCount
    listenerCount += other.listenerCount
    flaggedCount += other.flaggedCount
    concerns.merge(other.concerns, uniquingKeysWith: +)
    for index in shares.indices { shares[index] += other.shares[index] }
  }
}
