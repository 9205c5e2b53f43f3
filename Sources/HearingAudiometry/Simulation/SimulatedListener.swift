public import HearingFitting

/// A simulated listener, for tests of an app without a person.
///
///     var listener = SimulatedListener(profile: HearingProfile(left: .n2, right: .n3), seed: 1)
///     let measured = listener.take(&test)
///
/// For each ear, the probability that the listener hears a tone rises with the level of the tone.
/// The probability is a cumulative normal distribution around the threshold. Masking noise raises
/// the threshold of an ear. Tones and noise also cross the head to the other ear, with an
/// attenuation. Two listeners with the same parameters and the same seed give the same answers to
/// the same presentations.
public struct SimulatedListener: Sendable {
  /// The true thresholds. The listener hears half of the tones whose level equals the threshold. An
  /// ear without an audiogram hears no tone.
  public var profile: HearingProfile
  /// The standard deviation of the psychometric function in dB, greater than 0. The psychometric
  /// function is the probability of hearing a tone as a function of its level.
  public var spread: Double
  /// The fraction of silent intervals in which the listener presses the button.
  public var falseAlarms: Double
  /// The fraction of audible tones to which the listener does not respond.
  public var lapses: Double
  /// The mean time in seconds from the onset of a tone to the press of the button.
  public var delay: Double
  /// The standard deviation, in seconds, of the time from the onset of a tone to the press.
  public var delaySpread: Double
  /// The attenuation in dB of tones and noise that cross the head from one ear to the other.
  public var interauralAttenuation: Double
  /// The increase of the threshold by masking noise, in dB per dB. If the effective masking level
  /// is 1 dB above the threshold, the noise raises the threshold by this number of dB. For masking
  /// noise with an exact calibration, the number is 1.
  public var maskingEffect: Double
  /// The probability of a random press, 0 to 1, in each response window and in each silent
  /// interval. If this property is not nil, the listener presses the button at random, with or
  /// without a tone. If this property is nil, the listener presses the button after audible tones,
  /// and makes errors at the rates ``falseAlarms`` and ``lapses``.
  public var randomPresses: Double?

  private var random: RandomSequence
  private var pressesLate = false

  /// Creates a simulated listener.
  ///
  /// - Parameters:
  ///   - profile: The true thresholds.
  ///   - spread: The standard deviation of the psychometric function in dB.
  ///   - falseAlarms: The fraction of silent intervals, 0 to 1, in which the listener presses the
  ///     button.
  ///   - lapses: The fraction of audible tones to which the listener does not respond, 0 to 1.
  ///   - delay: The mean time in seconds from the onset of a tone to the press of the button.
  ///   - delaySpread: The standard deviation, in seconds, of the time from the onset of a tone to
  ///     the press.
  ///   - interauralAttenuation: The attenuation in dB of tones and noise that cross the head from
  ///     one ear to the other.
  ///   - maskingEffect: The increase of the threshold by masking noise, in dB for each dB by which
  ///     the effective masking level exceeds the threshold.
  ///   - randomPresses: The probability of a random press, 0 to 1, in each response window and in
  ///     each silent interval. If the argument is nil, the listener presses the button after
  ///     audible tones.
  ///   - seed: The seed of the random numbers.
  public init(
    profile: HearingProfile, spread: Double = 4, falseAlarms: Double = 0.02, lapses: Double = 0.02,
    delay: Double = 0.4, delaySpread: Double = 0.08, interauralAttenuation: Double = 55,
    maskingEffect: Double = 1, randomPresses: Double? = nil, seed: UInt64
  ) {
    precondition(spread > 0, "a psychometric function of \(spread) dB")
    precondition(
      falseAlarms >= 0 && lapses >= 0 && falseAlarms + lapses <= 1,
      "\(falseAlarms) false alarms and \(lapses) lapses")
    self.profile = profile
    self.spread = spread
    self.falseAlarms = falseAlarms
    self.lapses = lapses
    self.delay = delay
    self.delaySpread = delaySpread
    self.interauralAttenuation = interauralAttenuation
    self.maskingEffect = maskingEffect
    self.randomPresses = randomPresses
    random = RandomSequence(seed: seed)
  }

  /// Completes a test. The simulated listener answers each presentation, and resumes the test after
  /// each pause.
  ///
  /// - Parameters:
  ///   - test: The test. After the call, the test is complete.
  ///   - progress: A closure that is called with the test after each answer.
  /// - Returns: The measured profile.
  @discardableResult
  public mutating func take(
    _ test: inout ToneTest, progress: (ToneTest) -> Void = { _ in }
  ) -> HearingProfile {
    while true {
      switch test.next {
      case .present(let presentation):
        let (response, delay) = respond(to: presentation)
        do {
          try test.answer(response, after: delay)
        } catch {
          preconditionFailure("a test refuses the answer to its presentation: \(error)")
        }
        progress(test)
      case .pause:
        test.resume()
      case .finished(let profile):
        return profile
      }
    }
  }

  /// The listener's response to a presentation, and the time from the onset to the press.
  public mutating func respond(
    to presentation: Presentation
  ) -> (response: ToneResponse, delay: Duration?) {
    let window = presentation.responseWindow / .seconds(1)
    let silence = random.unit()
    let choice = random.unit()
    var time = delay + delaySpread * random.normal()
    let guess = random.unit()
    let pressProbability: Double
    var pressedInSilence: Bool
    if let randomPresses {
      pressProbability = randomPresses
      pressedInSilence = silence < randomPresses
      time = 0.1 + guess * (window - 0.1)
    } else {
      let audibility = audibility(of: presentation)
      pressProbability = falseAlarms + (1 - falseAlarms - lapses) * audibility
      pressedInSilence = silence < falseAlarms
      // A false alarm occurs at a random time in the response window.
      if choice < falseAlarms { time = 0.1 + guess * (window - 0.1) }
    }
    if pressesLate { pressedInSilence = true }
    pressesLate = false
    guard choice < pressProbability else {
      return (ToneResponse(isHeard: false, pressedInSilence: pressedInSilence), nil)
    }
    time = max(time, 0.12)
    guard time <= window else {
      pressesLate = true
      return (ToneResponse(isHeard: false, pressedInSilence: pressedInSilence), nil)
    }
    return (
      ToneResponse(isHeard: true, pressedInSilence: pressedInSilence), .seconds(time)
    )
  }

  /// The probability that the listener hears the tone of a presentation with at least one ear.
  /// False alarms and lapses do not change this probability.
  public func audibility(of presentation: Presentation) -> Double {
    guard !presentation.isSilent else { return 0 }
    let noise = presentation.maskingLevel
    let frequency = presentation.frequency
    let missed =
      (1
        - heard(
          presentation.level, by: presentation.ear, at: frequency,
          noise: noise.map { $0 - interauralAttenuation }))
      * (1
        - heard(
          presentation.level - interauralAttenuation, by: presentation.ear.other, at: frequency,
          noise: noise))
    return 1 - missed
  }

  private func heard(
    _ level: Double, by ear: Ear, at frequency: Double, noise: Double?
  ) -> Double {
    guard let threshold = profile[ear]?.threshold(at: frequency) else { return 0 }
    let masked = threshold + maskingEffect * max(0, (noise ?? -.infinity) - threshold)
    return CMath.normalProbability(below: (level - masked) / spread)
  }
}

extension SimulatedListener {
  /// The three digits that the listener reports after a triplet (three digits) in noise.
  ///
  /// The listener either understands or guesses each digit. At the threshold, the listener repeats
  /// half of the triplets correctly. This half includes correct guesses.
  ///
  /// - Parameters:
  ///   - triplet: The digits that are played, and the level of the digits relative to the noise,
  ///     in dB.
  ///   - threshold: The true speech reception threshold in dB SNR.
  ///   - slope: The slope at the threshold: the increase per dB of the fraction of correctly
  ///     repeated triplets. For normal hearing, the slope is 0.2 per dB (Smits, Goverts & Festen
  ///     2013).
  public mutating func understand(
    _ triplet: (digits: [Int], signalToNoise: Double), threshold: Double, slope: Double = 0.2
  ) -> [Int] {
    let distance = 4 * slope * (triplet.signalToNoise - threshold)
    let all = 1 / (1 + CMath.exponential(-distance))
    let one = CMath.power(all, 1.0 / 3)
    // A guess among ten digits is right with a probability of 0.1.
    let understood = max(0, (one - 0.1) / 0.9)
    return triplet.digits.map { digit in
      let choice = random.unit()
      let guess = Int(random.unit() * 10)
      return choice < understood ? digit : guess
    }
  }
}
