/// Recordings of spoken digits with equal levels, and noise with the spectrum of the digits.
///
///     let recordings = try DigitRecordings(samples: digits, sampleRate: 48_000)
///     let sound = recordings.sound(of: triplet, noiseLevel: -30, seed: 7)
///
/// Each digit is scaled to the same root mean square. The noise is the sum of many copies of all
/// digits at random times. Therefore the noise has the long-term spectrum of the digits. Digits
/// with equal levels are not equally easy to understand. For screening, use recordings that are
/// also corrected for differences in intelligibility (Smits, Goverts & Festen 2013).
public struct DigitRecordings: Sendable {
  /// The sample rate in Hz.
  public let sampleRate: Double
  /// The samples of the digits 0 to 9, each with a root mean square of 1.
  private let digits: [[Float]]

  /// The pause between two digits, in seconds.
  private static let gap = 0.15
  /// The duration in seconds of the noise before the first digit and after the last digit.
  private static let lead = 0.5

  /// Creates the recordings from ten arrays of samples, one for each digit from 0 to 9. The
  /// recording of each digit has one channel.
  ///
  /// - Throws: ``HearingTestError`` if the recordings are not valid.
  public init(samples: [[Float]], sampleRate: Double) throws(HearingTestError) {
    guard (8_000...768_000).contains(sampleRate) else { throw .sampleRate(sampleRate) }
    guard samples.count == 10 else { throw .digitCount(samples.count) }
    var digits: [[Float]] = []
    for (index, digit) in samples.enumerated() {
      let power = digit.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(digit.count, 1))
      guard power.isFinite, power > 1e-12, Double(digit.count) <= 5 * sampleRate else {
        throw .digit(index)
      }
      let scale = 1 / power.squareRoot()
      digits.append(digit.map { Float(Double($0) * scale) })
    }
    self.sampleRate = sampleRate
    self.digits = digits
  }

  /// The samples of three digits in noise, in one channel.
  ///
  /// - Parameters:
  ///   - triplet: Three digits from 0 to 9, and the level of the digits relative to the noise, -120
  ///     to 120 dB. ``DigitsInNoiseTest/next`` returns such a triplet.
  ///   - noiseLevel: The level of the noise in dB relative to a root mean square of 1, -120 to 0.
  ///   - seed: The seed of the random noise.
  public func sound(
    of triplet: (digits: [Int], signalToNoise: Double), noiseLevel: Double, seed: UInt64
  ) -> [Float] {
    precondition((-120...0).contains(noiseLevel), "noise of \(noiseLevel) dB")
    precondition(
      (-120...120).contains(triplet.signalToNoise), "digits at \(triplet.signalToNoise) dB")
    precondition(
      triplet.digits.allSatisfy((0...9).contains), "\(triplet.digits) are not digits")
    let gap = Int(Self.gap * sampleRate)
    let lead = Int(Self.lead * sampleRate)
    let length = triplet.digits.reduce(2 * lead) { $0 + digits[$1].count + gap }
    let noiseGain = Float(CMath.amplitude(decibels: noiseLevel))
    let speechGain = Float(CMath.amplitude(decibels: noiseLevel + triplet.signalToNoise))
    var sound = noise(count: length, seed: seed).map { $0 * noiseGain }
    var start = lead
    for digit in triplet.digits {
      for (index, sample) in digits[digit].enumerated() {
        sound[start + index] += sample * speechGain
      }
      start += digits[digit].count + gap
    }
    return sound
  }

  /// Noise with the spectrum of the digits and a root mean square of 1.
  public func noise(count: Int, seed: UInt64) -> [Float] {
    var random = RandomSequence(seed: seed)
    var noise = [Double](repeating: 0, count: count)
    guard count > 0 else { return [] }
    let longest = digits.map(\.count).max() ?? 1
    // The number of copies is chosen so that about fifty copies overlap at any time.
    let copies = 50 * (count + longest) / longest + 50
    for copy in 0..<copies {
      let digit = digits[copy % 10]
      let start = Int(random.unit() * Double(count + digit.count)) - digit.count
      // The sign of each copy is random. Random signs make the copies independent and do not change
      // the spectrum.
      let sign = random.unit() < 0.5 ? -1.0 : 1.0
      let first = max(0, -start)
      let end = max(first, min(digit.count, count - start))
      for index in first..<end { noise[start + index] += sign * Double(digit[index]) }
    }
    let power = noise.reduce(0) { $0 + $1 * $1 } / Double(count)
    let scale = power > 0 ? 1 / power.squareRoot() : 0
    return noise.map { Float($0 * scale) }
  }
}
