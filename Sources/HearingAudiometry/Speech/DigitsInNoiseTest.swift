/// A test of speech in noise. The listener hears triplets (three spoken digits) in noise, and types
/// the digits. The signal-to-noise ratio of a triplet depends on the previous answers.
///
///     var test = DigitsInNoiseTest(seed: 1)
///     while let triplet = test.next {
///       let typed = await play(triplet)              // the app's recordings, see DigitRecordings
///       try test.answer(typed)
///     }
///     test.result?.threshold                         // dB SNR
///
/// The first triplet has a signal-to-noise ratio of 0 dB. An answer is right if all three digits
/// are right. After a right answer, the signal-to-noise ratio falls by 2 dB. After a wrong answer,
/// the ratio rises by 2 dB. The threshold is the mean of the 5th to the 25th ratio. The test has 24
/// triplets. The 25th ratio is the ratio that a further triplet would have. Source: Smits, Goverts
/// & Festen, "The digits-in-noise test", Journal of the Acoustical Society of America 133 (2013).
/// The authors report a measurement error of 0.7 dB. In the published test, the digits are equally
/// intelligible. The noise of the published test has a fixed level and the same spectrum as the
/// digits.
///
/// The app provides the recordings of the digits. `DigitsInNoiseTest` is a value type. The app can
/// store the test after each answer.
public struct DigitsInNoiseTest: Sendable, Hashable, Codable {
  /// The number of triplets of a test: 24.
  public static let tripletCount = 24
  /// The change of the signal-to-noise ratio after each answer, in dB.
  public static let step = 2.0
  /// The permitted signal-to-noise ratios in dB.
  public static let range: ClosedRange<Double> = -30...20
  /// The number of triplets at the start of a test that are not used for the threshold.
  private static let skippedCount = 4

  /// The digits of each triplet.
  public let triplets: [[Int]]
  /// The listener's answers, in the order of the triplets.
  public private(set) var answers: [[Int]] = []

  /// Creates a test. The seed determines the triplets. In the whole test, every digit occurs two or
  /// three times at each of the three positions of a triplet. No triplet contains the same digit
  /// twice.
  public init(seed: UInt64 = .random(in: .min ... .max)) {
    var random = RandomSequence(seed: seed)
    var triplets: [[Int]] = []
    while triplets.count < Self.tripletCount {
      // Each of the ten rows is a triplet. The shuffled digits are the first digits of the rows. A
      // rotation of the shuffled digits gives the second digits of the rows. Another rotation gives
      // the third digits.
      let digits = Array(0...9).shuffled(using: &random)
      let steps = Array(1...9).shuffled(using: &random)
      let rows = digits.indices.map { row in
        [digits[row], digits[(row + steps[0]) % 10], digits[(row + steps[1]) % 10]]
      }
      triplets += rows.prefix(Self.tripletCount - triplets.count)
    }
    self.triplets = triplets
  }

  init(triplets: [[Int]], answers: [[Int]]) {
    self.triplets = triplets
    self.answers = answers
  }

  /// The signal-to-noise ratios in dB of all answered triplets, followed by the ratio of the next
  /// triplet.
  public var ratios: [Double] {
    var ratios = [0.0]
    for (answer, triplet) in zip(answers, triplets) {
      let next = (ratios.last ?? 0) + (answer == triplet ? -Self.step : Self.step)
      ratios.append(min(max(next, Self.range.lowerBound), Self.range.upperBound))
    }
    return ratios
  }

  /// The signal-to-noise ratios in dB from which the threshold is computed.
  private var counted: ArraySlice<Double> { ratios.dropFirst(Self.skippedCount) }

  /// The next triplet to play: three digits from 0 to 9, and the level of the digits relative to
  /// the noise, in dB. Nil when the test is over.
  public var next: (digits: [Int], signalToNoise: Double)? {
    guard answers.count < triplets.count, let ratio = ratios.last else { return nil }
    return (digits: triplets[answers.count], signalToNoise: ratio)
  }

  /// Records the three digits that the listener understood, in order.
  ///
  /// - Throws: ``HearingTestError`` if the test is over or the answer is not valid.
  public mutating func answer(_ digits: [Int]) throws(HearingTestError) {
    guard answers.count < triplets.count else { throw .alreadyFinished }
    guard digits.count == 3, digits.allSatisfy((0...9).contains) else {
      throw .notATriplet(digits)
    }
    answers.append(digits)
  }

  /// Whether a signal-to-noise ratio that is used for the threshold equals the lower or the upper
  /// bound of ``range``. If this property is true, the true threshold may be outside ``range``, and
  /// the threshold of ``result`` is not reliable.
  public var hasReachedLimit: Bool {
    counted.contains { $0 == Self.range.lowerBound || $0 == Self.range.upperBound }
  }

  /// The result of the test; nil until the test is over.
  ///
  /// `threshold` is the speech reception threshold: the signal-to-noise ratio in dB at which half
  /// of the triplets are understood. `standardError` is the standard error of the threshold in dB,
  /// computed from the standard deviation of the ratios. The standard error is at least 0.5 dB. An
  /// ideal listener has a standard error of 0.5 dB. If ``hasReachedLimit`` is true, the result is
  /// not reliable.
  public var result: (threshold: Double, standardError: Double)? {
    guard answers.count == triplets.count else { return nil }
    let counted = counted
    let mean = counted.reduce(0, +) / Double(counted.count)
    let variance =
      counted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(counted.count - 1)
    // Consecutive signal-to-noise ratios depend on each other. Therefore only half of the ratios
    // count as independent.
    let error = (variance / (Double(counted.count) / 2)).squareRoot()
    return (threshold: mean, standardError: max(error, 0.5))
  }
}
