public import HearingFitting

/// A hearing test with tones: what to play next, what was answered, what is known so far.
///
///     var test = try ToneTest(method: .bayesian, calibration: calibration)
///     while case .present(let presentation) = test.next {
///       let (response, delay) = await play(presentation)
///       try test.answer(response, after: delay)
///       try test.jsonData().write(to: url, options: .atomic)
///     }
///
/// The test is a value without time or sound: the app plays what ``next`` says and answers. Equal
/// tests with equal answers go on equally, and a test that was stored goes on where it was. No tone
/// is above the calibration's safe level, none is more than 20 dB above the one before it at the
/// same ear and frequency, and the first at each is at most 50 dB HL.
///
/// It measures air conduction only, and is no diagnosis: a conductive loss cannot be told from a
/// sensorineural one.
public struct ToneTest: Sendable {
  /// Why a call makes no sense.
  public enum Failure: Error, Sendable, Equatable {
    /// There is no frequency to test, or more than ``ToneTest/maximumFrequencyCount``.
    case frequencyCount(Int)
    /// The calibration knows nothing of a frequency in Hz, or it stands twice or out of order.
    case unknownFrequency(Double)
    /// The calibration allows less than ``ToneTest/smallestRange`` at a frequency in Hz.
    case levelRange(frequency: Double)
    /// No ear is to be tested, or one twice.
    case ears
    /// A precision in dB is not a number within 2 to 15.
    case precision(Double)
    /// The age in years of a stored test is not one for which usual thresholds are known.
    case age(Double)
    /// The test is over: nothing more can be answered.
    case alreadyFinished
    /// The test waits; see ``ToneTest/pauseReason``.
    case paused(PauseReason)
    /// A stored presentation has a level in dB HL that is not allowed at its frequency.
    case unsafeLevel(Double, frequency: Double)
    /// A stored answer belongs to no tone of this test.
    case foreignAnswer(index: Int)
  }

  /// What was decided before the test.
  struct Settings: Sendable, Hashable, Codable {
    let method: ToneTestMethod
    let frequencies: [Double]
    let calibration: HeadphoneCalibration
    let ears: [Ear]
    let tone: ToneShape
    let isMaskingAvailable: Bool
    /// Age in years and sex, where they are known.
    let age: Double?
    let sex: AgeRelatedHearing.Sex?
    let seed: UInt64
  }

  /// The frequencies of a diagnostic audiogram in Hz: 125 to 8000.
  public static let standardFrequencies: [Double] = [
    125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000,
  ]
  /// The most frequencies of a test.
  public static let maximumFrequencyCount = 40
  /// The least dB between 0 dB HL and the largest level at a frequency.
  public static let smallestRange = 30.0
  /// The delays that a response to a tone can have; a faster one was not caused by the tone.
  public static let shortestDelay = Duration.milliseconds(100)
  /// The most answers of a test, tones and silences together: a listener who answers at random must
  /// not be kept for ever.
  public static let maximumAnswerCount = 1_000

  let settings: Settings
  /// Every presentation with its answer, in order.
  public private(set) var trials: [Trial] = []
  /// What comes next.
  public private(set) var next: ToneTestStep
  /// Why ``next`` is a pause; nil: it is none.
  public private(set) var pauseReason: PauseReason?
  /// For which reasons the test has paused so far, rests aside.
  public private(set) var disturbances: Set<PauseReason> = []

  private let plan: SearchPlan
  private var procedure: Procedure
  /// The ear that the listener was last told of.
  private var announcedEar: Ear

  /// A new test.
  ///
  /// - Parameters:
  ///   - method: How the thresholds are looked for.
  ///   - frequencies: In Hz, each known to the calibration.
  ///   - calibration: The headphone at its present setting.
  ///   - ears: Which to test, the better one first.
  ///   - tone: Pulsed or steady.
  ///   - isMaskingAvailable: Whether noise may be played to the ear that is not tested.
  ///   - listener: Age and sex of the listener, which make ``ToneTestMethod/bayesian`` begin with
  ///     the usual thresholds of ISO 7029; nil: not known.
  ///   - seed: What the waits and the catch trials depend on.
  /// - Throws: ``Failure``.
  public init(
    method: ToneTestMethod, frequencies: [Double] = Self.standardFrequencies,
    calibration: HeadphoneCalibration, ears: [Ear] = [.right, .left], tone: ToneShape = .pulsed,
    isMaskingAvailable: Bool = true, listener: AgeRelatedHearing? = nil,
    seed: UInt64 = .random(in: .min ... .max)
  ) throws(Failure) {
    try self.init(
      Settings(
        method: method, frequencies: frequencies.sorted(), calibration: calibration, ears: ears,
        tone: tone, isMaskingAvailable: isMaskingAvailable, age: listener?.age,
        sex: listener?.sex, seed: seed))
  }

  init(_ settings: Settings) throws(Failure) {
    let plan = try Self.plan(settings)
    self.settings = settings
    self.plan = plan
    procedure = try Self.procedure(settings, plan)
    announcedEar = plan.ears[0]
    next = .pause(.zero)
    next = upcoming
  }

  private static func plan(_ settings: Settings) throws(Failure) -> SearchPlan {
    guard (1...maximumFrequencyCount).contains(settings.frequencies.count) else {
      throw .frequencyCount(settings.frequencies.count)
    }
    guard !settings.ears.isEmpty, Set(settings.ears).count == settings.ears.count else {
      throw .ears
    }
    if let age = settings.age, settings.sex != nil, settings.listener == nil { throw .age(age) }
    var limits: [Int] = []
    for (index, frequency) in settings.frequencies.enumerated() {
      guard let largest = settings.calibration.largestLevel(at: frequency),
        index == 0 || settings.frequencies[index - 1] < frequency
      else { throw .unknownFrequency(frequency) }
      guard largest >= smallestRange else { throw .levelRange(frequency: frequency) }
      limits.append(Int(largest.rounded(.down)))
    }
    return SearchPlan(
      frequencies: settings.frequencies, limits: limits, ears: settings.ears,
      isMaskingAvailable: settings.isMaskingAvailable,
      masking: MaskingRule(interauralAttenuation: settings.calibration.interauralAttenuation))
  }

  private static func procedure(
    _ settings: Settings, _ plan: SearchPlan
  ) throws(Failure) -> Procedure {
    let model = ResponseModel(spread: 4, guesses: 0.03, lapses: 0.03)
    switch settings.method {
    case .hughsonWestlake:
      return .ascending(HughsonWestlakeProcedure(plan: plan, rule: .full, model: model))
    case .modifiedHughsonWestlake:
      return .ascending(HughsonWestlakeProcedure(plan: plan, rule: .shortened, model: model))
    case .bayesian(let precision):
      guard (2...15).contains(precision) else { throw .precision(precision) }
      let prior = ThresholdPrior(frequencies: plan.frequencies, listener: settings.listener)
      return .bayesian(
        BayesianProcedure(plan: plan, precision: precision, prior: prior, model: model))
    }
  }

  // MARK: Answering

  /// Takes the answer to the presentation that is ``next``.
  ///
  /// - Parameters:
  ///   - response: Whether the listener pressed in the window after the onset, and whether before.
  ///   - delay: From the onset to the press; nil: not known. A press faster than ``shortestDelay``
  ///     counts as a false alarm, and the tone is presented again.
  /// - Throws: ``Failure/alreadyFinished``, ``Failure/paused(_:)``.
  public mutating func answer(
    _ response: ToneResponse, after delay: Duration? = nil
  ) throws(Failure) {
    switch next {
    case .present(let presentation):
      let trial = Trial(
        presentation: presentation, response: response, delay: delay.map { $0 / .seconds(1) })
      take(trial)
      next = upcoming
    case .pause:
      throw .paused(pauseReason ?? .otherEar)
    case .finished:
      throw .alreadyFinished
    }
  }

  /// Goes on after a pause.
  ///
  /// After ``PauseReason/ambientNoise`` and ``PauseReason/calibrationChange`` this means that the
  /// listener or the app chose to go on; the result says that it was disturbed.
  public mutating func resume() {
    guard let reason = pauseReason else { return }
    pauseReason = nil
    if reason == .otherEar, let request = procedure.request { announcedEar = request.ear }
    next = upcoming
  }

  /// Tells that volume, equaliser, spatial audio or noise cancelling changed: the test pauses.
  public mutating func noteCalibrationChange() {
    interrupt(.calibrationChange, pause: .seconds(5))
  }

  /// Tells how loud the room is: too loud, and the test pauses; quiet again, and it goes on.
  ///
  /// A pause for a change of the calibration stays until ``resume()``.
  ///
  /// - Parameters:
  ///   - noise: The levels in third-octave bands.
  ///   - attenuation: What the headphone keeps out.
  /// - Returns: By how many dB the bands are above their limits, where they are.
  @discardableResult
  public mutating func note(
    _ noise: AmbientNoise, attenuation: AmbientNoise.Attenuation
  ) -> [Double: Double] {
    let excess = noise.excess(
      attenuation: attenuation, lowestFrequency: plan.frequencies.first ?? 125)
    if !excess.isEmpty {
      interrupt(.ambientNoise, pause: .seconds(5))
    } else if pauseReason == .ambientNoise {
      resume()
    }
    return excess
  }

  private mutating func interrupt(_ reason: PauseReason, pause: Duration) {
    if case .finished = next { return }
    disturbances.insert(reason)
    // Quiet alone does not end a pause that the listener has to end.
    if pauseReason == .calibrationChange { return }
    pauseReason = reason
    next = .pause(pause)
  }

  private mutating func take(_ trial: Trial) {
    trials.append(trial)
    let presentation = trial.presentation
    guard trial.isScored,
      let index = plan.frequencies.firstIndex(of: presentation.frequency)
    else { return }
    procedure.learn(
      ToneAnswer(
        ear: presentation.ear, index: index, level: Int(presentation.level),
        isHeard: trial.response.isHeard, isMasked: presentation.masking != nil))
  }

  // MARK: What comes next

  private var upcoming: ToneTestStep {
    mutating get {
      guard let request = procedure.request, trials.count < Self.maximumAnswerCount else {
        return .finished(profile)
      }
      if request.ear != announcedEar {
        pauseReason = .otherEar
        return .pause(.seconds(10))
      }
      var random = RandomSequence(seed: settings.seed, step: trials.count)
      let wait = random.number(in: Presentation.shortestWait...Presentation.longestWait)
      let isSilent =
        random.unit() < Self.catchTrialShare && trials.count > 2
        && trials.last?.presentation.isSilent == false
      let level = Double(request.level)
      return .present(
        Presentation(
          ear: request.ear, frequency: plan.frequencies[request.index], level: level,
          tone: settings.tone, isSilent: isSilent, masking: masking(for: request),
          // To the millisecond, so that a stored test is equal to what was stored.
          wait: (wait * 1000).rounded() / 1000))
    }
  }

  /// How many presentations are catch trials.
  private static let catchTrialShare = 0.08

  private func masking(for request: ToneRequest) -> Presentation.Masking? {
    guard settings.isMaskingAvailable,
      let threshold = procedure.lowestThreshold(request.ear.other, request.index)
    else { return nil }
    let level = Double(request.level)
    guard plan.masking.crossesOver(level: level, otherThreshold: threshold) else { return nil }
    return Presentation.Masking(level: plan.masking.noiseLevel(forTone: level))
  }

  // MARK: What is known

  /// The headphone.
  public var calibration: HeadphoneCalibration { settings.calibration }

  /// How the thresholds are looked for.
  public var method: ToneTestMethod { settings.method }

  /// The thresholds and how certain they are, right ear first, by rising frequency; ears that were
  /// not reached are not listed.
  public var estimate: [ThresholdEstimate] {
    [Ear.right, .left].flatMap { ear in
      plan.frequencies.indices.compactMap { procedure.estimate(ear, $0) }
    }
  }

  /// How many tones were presented, catch trials aside.
  public var toneCount: Int { trials.count { !$0.presentation.isSilent } }

  /// How many tones were presented to one ear, catch trials aside.
  public func toneCount(for ear: Ear) -> Int {
    trials.count { !$0.presentation.isSilent && $0.presentation.ear == ear }
  }

  /// How far the result can be trusted.
  public var reliability: Reliability {
    Reliability(
      trials: trials, estimate: estimate, isContradictory: procedure.isContradictory,
      isFinished: procedure.request == nil,
      repeats: procedure.repeats.map { repetition in
        (
          Reliability.Repeat(
            ear: repetition.ear, frequency: plan.frequencies[repetition.index],
            first: repetition.first, second: repetition.second),
          repetition.expectedSpread
        )
      })
  }

  // MARK: Restoring

  /// Takes a stored answer.
  mutating func restore(_ trial: Trial, index: Int) throws(Failure) {
    let presentation = trial.presentation
    guard trials.count < Self.maximumAnswerCount else { throw .foreignAnswer(index: index) }
    guard let place = plan.frequencies.firstIndex(of: presentation.frequency) else {
      throw .unknownFrequency(presentation.frequency)
    }
    guard
      (Double(SearchPlan.softestLevel)...Double(plan.limits[place])).contains(presentation.level)
    else { throw .unsafeLevel(presentation.level, frequency: presentation.frequency) }
    // Another platform's mathematics may have preferred another tone by a hair, but not another ear;
    // the ascending method computes nothing.
    guard let request = procedure.request, request.ear == presentation.ear,
      presentation.level == presentation.level.rounded(),
      settings.method.choosesByInformation
        || (request.index == place && Double(request.level) == presentation.level)
    else { throw .foreignAnswer(index: index) }
    take(trial)
    announcedEar = presentation.ear
  }

  /// Ends restoring.
  mutating func restored(disturbances: Set<PauseReason>, pauseReason: PauseReason?) {
    self.disturbances = disturbances
    // The listener had been told of the ear that comes next.
    if pauseReason != .otherEar, let request = procedure.request { announcedEar = request.ear }
    next = upcoming
    guard let pauseReason, pauseReason != .otherEar else { return }
    interrupt(pauseReason, pause: .seconds(5))
  }
}

extension ToneTest.Settings {
  /// Whose usual thresholds the search begins with.
  var listener: AgeRelatedHearing? {
    guard let age, let sex else { return nil }
    return try? AgeRelatedHearing(age: age, sex: sex)
  }
}

extension ToneTest: Equatable {
  /// Whether two tests have the same settings, the same answers and wait for the same.
  public static func == (first: ToneTest, second: ToneTest) -> Bool {
    first.settings == second.settings && first.trials == second.trials
      && first.next == second.next && first.disturbances == second.disturbances
  }
}

extension ToneTest.Failure: CustomStringConvertible {
  /// One line that names the value.
  public var description: String {
    switch self {
    case .frequencyCount(let count):
      "\(count) frequencies, but a test has 1 to \(ToneTest.maximumFrequencyCount)"
    case .unknownFrequency(let frequency):
      "\(frequency) Hz is not in the calibration, or stands twice"
    case .levelRange(let frequency):
      "the calibration allows too little at \(frequency) Hz: less than "
        + "\(ToneTest.smallestRange) dB HL"
    case .ears: "a test needs the left ear, the right ear or both, each once"
    case .age(let age): "no usual thresholds are known at an age of \(age) years"
    case .precision(let precision): "a precision of \(precision) dB is outside 2 to 15 dB"
    case .alreadyFinished: "the test is over"
    case .paused(let reason): "the test is paused (\(reason.rawValue))"
    case .unsafeLevel(let level, let frequency):
      "\(level) dB HL at \(frequency) Hz is outside the safe range"
    case .foreignAnswer(let index): "answer \(index) does not belong to this test"
    }
  }
}
