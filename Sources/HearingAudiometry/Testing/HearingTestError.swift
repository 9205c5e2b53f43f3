/// The reason why a hearing test rejects its settings, an answer, a presentation or recordings.
public enum HearingTestError: Error, Sendable, Equatable {
  /// There is no frequency to test, or there are more than ``ToneTest/maximumFrequencyCount``
  /// frequencies.
  case frequencyCount(Int)
  /// A frequency is not in the calibration, or differs from another frequency of the test by less
  /// than 1 %. A stored test causes the same error if its frequencies are not in rising order. The
  /// associated value is the frequency in Hz.
  case unknownFrequency(Double)
  /// The maximum level of a tone at `frequency` (in Hz) is below ``ToneTest/smallestRange``. The
  /// calibration determines this maximum level.
  case levelRange(frequency: Double)
  /// There is no ear to test, or an ear is listed twice.
  case ears
  /// The requested precision of the Bayesian method is outside 2 to 15 dB or is not a number.
  case precision(Double)
  /// A stored test contains an age for which `AgeRelatedHearing` has no thresholds. The associated
  /// value is the age in years.
  case age(Double)
  /// The test is over and accepts no more answers.
  case alreadyFinished
  /// The test is paused; see ``ToneTest/pauseReason``.
  case paused(PauseReason)
  /// The level of a tone or of its masking noise is outside the safe range. `limit` is the maximum
  /// safe level at `frequency`. The levels are in dB HL, and the frequency is in Hz.
  case unsafeLevel(Double, frequency: Double, limit: Double)
  /// The ``Presentation/responseTail`` of a presentation is outside 0 to 60 s or is not a number.
  /// The associated value is in seconds.
  case responseTail(Double)
  /// The sample rate is outside 8,000 to 768,000 Hz, is not a number, or is too low for the
  /// frequency of a presentation.
  case sampleRate(Double)
  /// A stored answer does not belong to a tone that the stored test can request. `index` is the
  /// index of this answer in the list of the stored answers.
  case foreignAnswer(index: Int)
  /// The number of recordings is not ten. A digits-in-noise test needs one recording for each
  /// digit.
  case digitCount(Int)
  /// The recording of a digit is empty, longer than 5 s or silent, or contains a sample that is not
  /// a number.
  case digit(Int)
  /// An answer in a digits-in-noise test does not consist of three digits from 0 to 9.
  case notATriplet([Int])
}

extension HearingTestError: CustomStringConvertible {
  /// A one-line description of the error, with the invalid value.
  public var description: String {
    switch self {
    case .frequencyCount(let count):
      "\(count) frequencies, but a test has 1 to \(ToneTest.maximumFrequencyCount)"
    case .unknownFrequency(let frequency):
      "\(frequency) Hz is not in the calibration, or within 1 % of another frequency of the test"
    case .levelRange(let frequency):
      "the largest level that the calibration allows at \(frequency) Hz is below "
        + "\(ToneTest.smallestRange) dB HL"
    case .ears: "a test needs the left ear, the right ear or both, each once"
    case .age(let age): "no usual thresholds are known for an age of \(age) years"
    case .precision(let precision): "a precision of \(precision) dB is outside 2 to 15 dB"
    case .alreadyFinished: "the test is over"
    case .paused(let reason): "the test is paused (\(reason.rawValue))"
    case .unsafeLevel(let level, let frequency, let limit):
      "\(level) dB HL at \(frequency) Hz is outside the safe range, which ends at \(limit) dB HL"
    case .responseTail(let tail): "a response tail of \(tail) s is outside 0 to 60 s"
    case .sampleRate(let rate):
      "a sample rate of \(rate) Hz is outside 8000 to 768000 Hz, or too low for the tone"
    case .foreignAnswer(let index): "answer \(index) does not belong to this test"
    case .digitCount(let count): "\(count) recordings, expected ten: the digits 0 to 9"
    case .digit(let digit):
      "the recording of \(digit) is empty, silent, longer than 5 s or holds invalid samples"
    case .notATriplet(let digits):
      "the answer" + digits.reduce("") { $0 + " \($1)" } + " does not have three digits from 0 to 9"
    }
  }
}
