import BenchmarkSupport
import Foundation
import HearingAudiometry
import HearingFitting

/// The accuracy and the length of a test, over many simulated listeners.
struct ToneTestFigures: Sendable {
  /// The properties that are the same for all simulated listeners. Only their thresholds differ.
  struct Conditions: Sendable {
    /// The standard deviation of the psychometric function in dB.
    var spread = 4.0
    /// The probability of a false alarm (a press without a tone), 0…1.
    var falseAlarms = 0.02
    /// The probability of a lapse (no press although the tone is heard), 0…1.
    var lapses = 0.02
    /// The fraction of response windows and silent presentations in which the listeners press, with
    /// or without a tone; nil for listeners who press when they hear a tone.
    var randomPresses: Double?
    /// The delay in seconds from the onset to the press: its mean and its standard deviation.
    var delay = (mean: 0.4, spread: 0.08)
    /// After this number of tones, all thresholds rise by this many dB; nil if they never rise.
    var shift: (tones: Int, decibels: Double)?
    /// The probability that a phantom tone causes a press; 0 if there is no phantom tone.
    ///
    /// Each listener hears a phantom tone between 3 and 6 kHz. It causes presses only if the
    /// frequency of the test is within half an octave of the phantom tone.
    var tinnitus = 0.0
    /// The presses of listeners who press the button only in response windows, with or without a
    /// tone; nil for other listeners.
    var windowPresses: WindowPresses?
    /// Whether the listeners fall asleep when the test of the second ear begins. They sleep until
    /// the next pause.
    var sleepsInSecondEar = false
    /// Whether the test begins with the better ear; otherwise, it begins with the right ear.
    var isBetterEarKnown = true

    /// The default conditions of the comparison: a spread of 4 dB, and 2 % false alarms and lapses.
    init() {}
  }

  /// Presses in response windows that do not depend on the tones.
  enum WindowPresses: Sendable {
    /// At random, in this fraction of the windows.
    case random(Double)
    /// In every second window.
    case alternating
  }

  /// The number of ears tested.
  private(set) var earCount = 0
  /// The number of tones presented.
  private(set) var toneCount = 0
  /// The number of true thresholds.
  private(set) var thresholdCount = 0
  /// The number of thresholds that were measured with an error of at most 10 dB, or correctly
  /// reported as "no response".
  private(set) var withinTen = 0
  /// The number of true thresholds up to the maximum safe level. Errors are computed only for these
  /// thresholds.
  private(set) var measurableCount = 0
  /// The sum of the errors in dB.
  private(set) var errorSum = 0.0
  /// The sum of the magnitudes of the errors in dB.
  private(set) var magnitudeSum = 0.0
  /// The number of true thresholds within the reported interval.
  private(set) var coveredCount = 0
  /// The number of reported intervals. The result "no response" has no interval.
  private(set) var intervalCount = 0
  /// The number of listeners who can hear at least one tone at a safe level. All other listeners
  /// never press the button. They are correctly flagged as unreliable, and are not counted here.
  private(set) var listenerCount = 0
  /// The number of listeners in ``listenerCount`` who were flagged as unreliable.
  private(set) var flaggedCount = 0
  /// The number of listeners with a threshold error of more than 15 dB, and how many of these
  /// listeners were flagged.
  private(set) var wrongCount = 0
  private(set) var wrongFlaggedCount = 0
  /// The maximum error in dB among listeners who were not flagged.
  private(set) var largestUnflagged = 0.0
  /// The number of listeners for whom the test reported each concern.
  private(set) var concerns: [MeasurementRecord.Note: Int] = [:]
  /// A histogram of the errors in ten deciles. Each error is divided by its stated standard
  /// deviation, and the deciles are those of the normal distribution. If the stated uncertainty is
  /// correct, all counts are equal.
  private(set) var decileCounts = [Int](repeating: 0, count: 10)

  /// Creates figures without any listener.
  init() {}

  /// The mean number of tones per ear.
  var tones: Double { Double(toneCount) / Double(earCount) }
  /// The mean error in dB. It is positive if the measured thresholds are too high.
  var bias: Double { errorSum / Double(measurableCount) }
  /// The mean absolute error in dB.
  var meanAbsoluteError: Double { magnitudeSum / Double(measurableCount) }
  /// The fraction of thresholds that were measured with an error of at most 10 dB.
  var fractionWithinTen: Double { Double(withinTen) / Double(thresholdCount) }
  /// The fraction of reported intervals that contain the true threshold.
  var coverage: Double { Double(coveredCount) / Double(intervalCount) }
  /// The fraction of listeners who were flagged.
  var flaggedFraction: Double { Double(flaggedCount) / Double(listenerCount) }

  /// Tests one listener and adds the result.
  ///
  /// - Parameter progress: Called after each answer with the test and the true thresholds.
  mutating func add(
    _ number: Int, seed: UInt64, method: ToneTestMethod, conditions: Conditions = Conditions(),
    progress: (ToneTest, HearingProfile) -> Void = { _, _ in }
  ) {
    let member = ListenerPopulation.member(number, seed: seed)
    var listener = SimulatedListener(
      profile: member.profile, spread: conditions.spread, falseAlarms: conditions.falseAlarms,
      lapses: conditions.lapses, delay: conditions.delay.mean,
      delaySpread: conditions.delay.spread, interauralAttenuation: member.interauralAttenuation,
      randomPresses: conditions.randomPresses, seed: seed &+ UInt64(number))
    let ears = conditions.isBetterEarKnown ? member.ears : [.right, .left]
    var test = Self.test(method, ears: ears, seed: UInt64(number))
    var random = RandomNumbers(seed: seed &- UInt64(number))
    var isAsleep = false
    let phantom = 3000 * exp2(Double(number % 10) / 9)
    while true {
      switch test.next {
      case .present(let presentation):
        if let shift = conditions.shift, test.toneCount >= shift.tones {
          listener.profile = Self.shifted(member.profile, by: shift.decibels)
        }
        if conditions.tinnitus > 0 {
          listener.falseAlarms =
            abs(log2(presentation.frequency / phantom)) <= 0.5
            ? conditions.tinnitus : conditions.falseAlarms
        }
        var (response, delay) = listener.respond(to: presentation)
        switch conditions.windowPresses {
        case .random(let fraction): response = random.unit() < fraction ? .heard : .notHeard
        case .alternating: response = test.trials.count.isMultiple(of: 2) ? .heard : .notHeard
        case nil: break
        }
        if conditions.windowPresses != nil { delay = nil }
        if conditions.sleepsInSecondEar, presentation.ear == ears[1] { isAsleep = true }
        if isAsleep { (response, delay) = (.notHeard, nil) }
        do {
          try test.answer(response, after: delay)
        } catch {
          preconditionFailure("a test refuses the answer to its presentation: \(error)")
        }
        progress(test, member.profile)
        continue
      case .pause:
        isAsleep = false
        test.resume()
        continue
      case .finished: break
      }
      break
    }
    add(test, member)
  }

  private static func shifted(_ profile: HearingProfile, by decibels: Double) -> HearingProfile {
    var shifted = profile
    for ear in Ear.allCases {
      guard let points = profile[ear]?.points else { continue }
      shifted[ear] = try? Audiogram(
        points: points.map {
          Audiogram.Point(frequency: $0.frequency, threshold: min($0.threshold + decibels, 120))
        })
    }
    return shifted
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
    var maximumError = 0.0
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
      maximumError = max(maximumError, abs(error))
      measurableCount += 1
      errorSum += error
      magnitudeSum += abs(error)
      if abs(error) <= 10 { withinTen += 1 }
      guard !estimate.isNoResponse else { continue }
      intervalCount += 1
      if estimate.interval.contains(truth) { coveredCount += 1 }
      let probability = 0.5 * erfc(error / max(estimate.standardDeviation, 0.1) * 0.5.squareRoot())
      decileCounts[min(9, Int(probability * 10))] += 1
    }
    let isFlagged = !test.reliability.isReliable
    if maximumError > 15 {
      wrongCount += 1
      if isFlagged { wrongFlaggedCount += 1 }
    }
    if !isFlagged { largestUnflagged = max(largestUnflagged, maximumError) }
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

  /// The calibration of a simulated headphone. Its full scale is far above the maximum safe level.
  private static let calibration = HeadphoneCalibration.uncalibrated(fullScaleLevel: 120)

  /// Adds the figures of other listeners.
  mutating func merge(_ other: ToneTestFigures) {
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
    wrongCount += other.wrongCount
    wrongFlaggedCount += other.wrongFlaggedCount
    largestUnflagged = max(largestUnflagged, other.largestUnflagged)
    concerns.merge(other.concerns, uniquingKeysWith: +)
    for index in decileCounts.indices { decileCounts[index] += other.decileCounts[index] }
  }
}
