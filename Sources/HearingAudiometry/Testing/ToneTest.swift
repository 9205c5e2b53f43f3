public import HearingFitting

/// A hearing test with tones. The test contains all answers, the current estimate of the
/// thresholds, and the next step: a presentation, a pause or the end.
///
///     var test = try ToneTest(method: .bayesian, calibration: calibration)
///     var profile: HearingProfile?
///     while profile == nil {
///       switch test.next {
///       case .present(let presentation):
///         let (response, delay) = await play(presentation)
///         try test.answer(response, after: delay)
///         try test.jsonData().write(to: url, options: .atomic)
///       case .pause:  // for example, before the other ear
///         test.resume()
///       case .finished(let result):
///         profile = result
///       }
///     }
///
/// `ToneTest` is a value type. It has no clock, and plays no audio. The app plays ``next`` and
/// passes the answer to ``answer(_:after:)``. Two tests with equal settings and equal answers have
/// the same next step. A stored test continues with the step after its last answer. The level of a
/// tone never exceeds the maximum safe level of the calibration. For each ear and frequency, the
/// first tone is at most 50 dB HL, and each further tone is at most 20 dB above the previous tone.
///
/// The test is not a diagnosis. The test measures only air conduction. Therefore the test cannot
/// distinguish a conductive loss from a sensorineural loss.
public struct ToneTest: Sendable {
  /// The settings of a test, which do not change during the test.
  struct Settings: Sendable, Hashable, Codable {
    let method: ToneTestMethod
    let frequencies: [Double]
    let calibration: HeadphoneCalibration
    let ears: [Ear]
    let tone: ToneShape
    let isMaskingAvailable: Bool
    /// The age of the listener in years, and the sex of the listener; nil if unknown.
    let age: Double?
    let sex: AgeRelatedHearing.Sex?
    let seed: UInt64
  }

  /// The test frequencies of a diagnostic audiogram in Hz, from 125 to 8000 Hz.
  public static let standardFrequencies: [Double] = [
    125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000,
  ]
  /// The maximum number of frequencies of a test.
  public static let maximumFrequencyCount = 40
  /// The minimum ratio of two neighbouring frequencies of a test: 1.01.
  static let smallestFrequencyRatio = 1.01
  /// The minimum value, in dB HL, of the maximum safe level at each frequency of a test. At a
  /// frequency with a lower maximum safe level, a test is not possible.
  public static let smallestRange = 30.0
  /// The minimum delay of a response. An earlier press is not a response to the tone.
  public static let shortestDelay = Duration.milliseconds(100)
  /// The maximum number of answers in a test, including catch trials. With this limit, a test ends
  /// even if the listener answers at random. If a test reaches the limit, its result is not
  /// reliable.
  public static let maximumAnswerCount = 4_000

  let settings: Settings
  /// Every presentation with its answer, in order of time.
  package private(set) var history: [Trial] = []
  /// The next step of the test.
  public private(set) var next: ToneTestStep
  /// The reason why the test is paused; nil if ``next`` is not a pause.
  public private(set) var pauseReason: PauseReason?
  /// The reasons for all pauses since the start of the test. The break between the two ears is not
  /// included.
  public private(set) var disturbances: Set<PauseReason> = []

  let plan: SearchPlan
  private(set) var procedure: Procedure
  /// The ear that the app last announced to the listener.
  private(set) var announcedEar: Ear

  /// Creates a hearing test with tones.
  ///
  /// - Parameters:
  ///   - method: The method that finds the thresholds.
  ///   - frequencies: The frequencies in Hz. The calibration must contain each frequency. Two
  ///     frequencies must differ by at least 1 %.
  ///   - calibration: The calibration of the headphone. The calibration must be valid for the
  ///     current volume and settings.
  ///   - ears: The ears to test. The better ear should come first. If only one ear is tested, the
  ///     test assumes thresholds of −10 dB HL for the other ear. The assumed thresholds determine
  ///     the masking of the other ear.
  ///   - tone: The shape of the tones: pulsed, steady or warbled. After two presses in silence near
  ///     a frequency, all tones near this frequency are warbled, because the listener may have
  ///     tinnitus.
  ///   - isMaskingAvailable: Whether noise may be played to the ear that is not tested.
  ///   - listener: The age and the sex of the listener; nil if unknown. If the age and the sex are
  ///     known, ``ToneTestMethod/bayesian`` starts from the median thresholds of ISO 7029 for this
  ///     age and sex.
  ///   - seed: The seed for the random waits and catch trials.
  /// - Throws: ``HearingTestError`` if an argument is not valid.
  public init(
    method: ToneTestMethod, frequencies: [Double] = Self.standardFrequencies,
    calibration: HeadphoneCalibration, ears: [Ear] = [.right, .left], tone: ToneShape = .pulsed,
    isMaskingAvailable: Bool = true, listener: AgeRelatedHearing? = nil,
    seed: UInt64 = .random(in: .min ... .max)
  ) throws(HearingTestError) {
    try self.init(
      Settings(
        method: method, frequencies: frequencies.sorted(), calibration: calibration, ears: ears,
        tone: tone, isMaskingAvailable: isMaskingAvailable, age: listener?.age,
        sex: listener?.sex, seed: seed))
  }

  init(_ settings: Settings) throws(HearingTestError) {
    let plan = try Self.plan(settings)
    self.settings = settings
    self.plan = plan
    procedure = try Self.procedure(settings, plan)
    announcedEar = plan.ears[0]
    next = .pause(.zero)
    next = upcoming
  }

  private static func plan(_ settings: Settings) throws(HearingTestError) -> SearchPlan {
    guard (1...maximumFrequencyCount).contains(settings.frequencies.count) else {
      throw .frequencyCount(settings.frequencies.count)
    }
    guard !settings.ears.isEmpty, Set(settings.ears).count == settings.ears.count else {
      throw .ears
    }
    if let age = settings.age, settings.sex != nil, settings.listener == nil { throw .age(age) }
    let masking = MaskingRule(interauralAttenuation: settings.calibration.interauralAttenuation)
    var limits: [Int] = []
    for (index, frequency) in settings.frequencies.enumerated() {
      guard let largest = settings.calibration.largestLevel(at: frequency),
        let point = settings.calibration.point(at: frequency),
        index == 0
          || settings.frequencies[index - 1] * smallestFrequencyRatio <= frequency
      else { throw .unknownFrequency(frequency) }
      // At the maximum level of a tone, its masking noise must not exceed full scale.
      let maskable = masking.toneLevel(
        forNoise: point.fullScaleLevel - point.referenceThreshold
          - NarrowbandNoise.reference(at: frequency) - NarrowbandNoise.headroom)
      let level = settings.isMaskingAvailable ? min(largest, maskable) : largest
      guard level >= smallestRange else { throw .levelRange(frequency: frequency) }
      limits.append(Int(level.rounded(.down)))
    }
    return SearchPlan(
      frequencies: settings.frequencies, limits: limits, ears: settings.ears,
      isMaskingAvailable: settings.isMaskingAvailable, masking: masking)
  }

  private static func procedure(
    _ settings: Settings, _ plan: SearchPlan
  ) throws(HearingTestError) -> Procedure {
    switch settings.method {
    case .hughsonWestlake:
      return .ascending(HughsonWestlakeProcedure(plan: plan, rule: .full, model: .attentive))
    case .modifiedHughsonWestlake:
      return .ascending(HughsonWestlakeProcedure(plan: plan, rule: .shortened, model: .attentive))
    case .bayesian(let precision):
      guard (2...15).contains(precision) else { throw .precision(precision) }
      let prior = ThresholdPrior(frequencies: plan.frequencies, listener: settings.listener)
      return .bayesian(
        BayesianProcedure(plan: plan, precision: precision, prior: prior))
    }
  }

  // MARK: Answering

  /// Records the answer to the presentation in ``next``.
  ///
  /// - Parameters:
  ///   - response: Whether the listener pressed the button in the response window after the onset,
  ///     and whether the listener pressed the button before the onset.
  ///   - delay: The time from the onset to the press; nil if unknown. A press with a delay shorter
  ///     than ``shortestDelay`` counts as a false alarm, and the tone is presented again. A press
  ///     after the ``Presentation/responseWindow`` does not count.
  /// - Throws: ``HearingTestError/alreadyFinished`` or ``HearingTestError/paused(_:)``.
  public mutating func answer(
    _ response: ToneResponse, after delay: Duration? = nil
  ) throws(HearingTestError) {
    switch next {
    case .present(let presentation):
      let isInTime = delay.map { $0 <= presentation.responseWindow } ?? true
      let isHeard = response.isHeard && isInTime
      accept(
        Trial(
          presentation: presentation,
          response: ToneResponse(isHeard: isHeard, pressedInSilence: response.pressedInSilence),
          delay: isHeard ? delay.map { $0 / .seconds(1) } : nil))
      next = upcoming
    case .pause:
      throw .paused(pauseReason ?? .otherEar)
    case .finished:
      throw .alreadyFinished
    }
  }

  /// Continues the test after a pause.
  ///
  /// After ``PauseReason/ambientNoise`` and ``PauseReason/calibrationChange``, `resume()` continues
  /// the test in spite of the disturbance. The record in ``profile`` contains a note about the
  /// disturbance.
  public mutating func resume() {
    guard let reason = pauseReason else { return }
    pauseReason = nil
    if reason == .otherEar, let request = procedure.request { announcedEar = request.ear }
    next = upcoming
  }

  /// Reports a change of the volume, the equaliser, spatial audio or noise cancelling, and pauses
  /// the test.
  public mutating func noteCalibrationChange() {
    interrupt(.calibrationChange, pause: .seconds(5))
  }

  /// Reports the noise in the room. If the noise is too loud, the test pauses. The test continues
  /// after a later report in which the noise is within the limits.
  ///
  /// A pause after a calibration change lasts until the app calls ``resume()``.
  ///
  /// - Parameters:
  ///   - levels: The levels of the noise in the room. The keys are the centre frequencies of the
  ///     third-octave bands in Hz, and the values are in dB SPL. The frequencies may be nominal or
  ///     exact. A band without a level counts as quiet.
  ///   - attenuation: The attenuation of noise by the headphone.
  /// - Returns: The bands in which the noise exceeds the limit. The keys are the centre frequencies
  ///   in Hz, and the values are the excess in dB.
  @discardableResult
  public mutating func note(
    ambientNoise levels: [Double: Double], attenuation: NoiseAttenuation
  ) -> [Double: Double] {
    let excess = attenuation.excess(of: levels, lowestFrequency: plan.frequencies.first ?? 125)
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
    // A report of a quiet room ends a pause with the reason `ambientNoise`. Therefore
    // `ambientNoise` must not replace the reason `calibrationChange`.
    if pauseReason == .calibrationChange { return }
    pauseReason = reason
    next = .pause(pause)
  }

  private mutating func accept(_ trial: Trial) {
    history.append(trial)
    let presentation = trial.presentation
    guard trial.isScored,
      let index = plan.frequencies.firstIndex(of: presentation.frequency)
    else { return }
    procedure.learn(
      ToneAnswer(
        ear: presentation.ear, index: index, level: Int(presentation.level),
        isHeard: trial.response.isHeard, isMasked: presentation.maskingLevel != nil))
  }

  // MARK: The next step

  private var upcoming: ToneTestStep {
    mutating get {
      guard let request = procedure.request, !hasEnded else { return .finished(profile) }
      if request.ear != announcedEar {
        guard isAwakeUncertain(request.ear) else {
          pauseReason = .otherEar
          return .pause(.seconds(10))
        }
        announcedEar = request.ear
      }
      var random = RandomSequence(seed: settings.seed, step: history.count)
      let wait = random.number(in: Presentation.shortestWait...Presentation.longestWait)
      let level = Double(request.level)
      let frequency = plan.frequencies[request.index]
      let isSuspicious = mayHearPhantom(near: frequency)
      let isSilent =
        random.unit() < catchTrialProbability(isSuspicious: isSuspicious) && history.count > 2
        && history.last?.presentation.isSilent == false
      return .present(
        Presentation(
          ear: request.ear, frequency: frequency, level: level,
          tone: isSuspicious ? .warbled : settings.tone,
          isSilent: isSilent, maskingLevel: maskingLevel(for: request),
          // The wait is rounded to 1 ms. Without rounding, a test could change when it is written
          // to JSON and read again.
          wait: (wait * 1000).rounded() / 1000, responseTail: responseTail))
    }
  }

  private func maskingLevel(for request: ToneRequest) -> Double? {
    guard settings.isMaskingAvailable,
      let threshold = procedure.thresholdLowerBound(request.ear.other, request.index)
    else { return nil }
    let level = Double(request.level)
    guard plan.masking.crossesOver(level: level, otherThreshold: threshold) else { return nil }
    return plan.masking.noiseLevel(forTone: level)
  }

  // MARK: Results

  /// The calibration of the headphone.
  public var calibration: HeadphoneCalibration { settings.calibration }

  /// The method that finds the thresholds.
  public var method: ToneTestMethod { settings.method }

  /// The estimated thresholds and the uncertainty of each threshold. The thresholds of the right
  /// ear come first. For each ear, the thresholds are in order of rising frequency. The list
  /// contains no thresholds of an ear before the test of this ear has begun.
  public var estimate: [ThresholdEstimate] {
    [Ear.right, .left].flatMap { ear in
      plan.frequencies.indices.compactMap { procedure.estimate(ear, $0) }
    }
  }

  /// The number of tones that have been presented. Catch trials do not count.
  public var toneCount: Int { history.count { !$0.presentation.isSilent } }

  /// The number of tones that have been presented to one ear. Catch trials do not count.
  public func toneCount(for ear: Ear) -> Int {
    history.count { !$0.presentation.isSilent && $0.presentation.ear == ear }
  }

  // MARK: Restoring

  /// Applies an answer of a stored test to this test.
  mutating func restore(_ trial: Trial, index: Int) throws(HearingTestError) {
    let presentation = trial.presentation
    guard history.count < Self.maximumAnswerCount else { throw .foreignAnswer(index: index) }
    guard let frequencyIndex = plan.frequencies.firstIndex(of: presentation.frequency) else {
      throw .unknownFrequency(presentation.frequency)
    }
    guard
      (Double(SearchPlan.softestLevel)...Double(plan.limits[frequencyIndex]))
        .contains(presentation.level)
    else {
      throw .unsafeLevel(
        presentation.level, frequency: presentation.frequency,
        limit: Double(plan.limits[frequencyIndex]))
    }
    // The test may have been stored on another platform. Because of floating-point differences, the
    // Bayesian method may choose a different tone on this platform, but never a different ear. The
    // ascending method always chooses the same tone.
    guard let request = procedure.request, request.ear == presentation.ear,
      presentation.level == presentation.level.rounded(),
      settings.method.choosesByInformation
        || (request.index == frequencyIndex && Double(request.level) == presentation.level)
    else { throw .foreignAnswer(index: index) }
    accept(trial)
    announcedEar = presentation.ear
  }

  /// Adds the stored pause, and the stored reasons for earlier pauses, to a restored test.
  mutating func restored(
    disturbances: Set<PauseReason>, pauseReason: PauseReason?, announcedEar: Ear?
  ) {
    self.disturbances = disturbances
    // If the JSON document contains no announced ear, the ear of the next tone counts as announced.
    // In the pause between the two ears, the ear of the next tone is not announced yet.
    if let announcedEar {
      self.announcedEar = announcedEar
    } else if pauseReason != .otherEar, let request = procedure.request {
      self.announcedEar = request.ear
    }
    next = upcoming
    guard let pauseReason, pauseReason != .otherEar else { return }
    interrupt(pauseReason, pause: .seconds(5))
  }
}

extension ToneTest.Settings {
  /// The age and the sex of the listener; nil if unknown. For a known age and sex, the means of the
  /// Bayesian prior are the median thresholds of ISO 7029.
  var listener: AgeRelatedHearing? {
    guard let age, let sex else { return nil }
    return try? AgeRelatedHearing(age: age, sex: sex)
  }
}

extension ToneTest: Equatable {
  /// Whether the tests have the same settings, answers, next step, pause, disturbances and last
  /// announced ear.
  public static func == (first: ToneTest, second: ToneTest) -> Bool {
    first.settings == second.settings && first.history == second.history
      && first.next == second.next && first.disturbances == second.disturbances
      && first.pauseReason == second.pauseReason && first.announcedEar == second.announcedEar
  }
}
