import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Synthetic syllables that consist of vowels. The pitch glides, and the formants move from vowel
/// to vowel.
///
/// A voice detector detects these syllables as voice. They are not suitable for measuring the
/// quality of a detector.
package enum SyntheticVoice {
  /// The frequencies in Hz of the first three formants of the vowels a, e, i, o and u.
  private static let vowels: [(Double, Double, Double)] = [
    (730, 1_090, 2_440), (530, 1_840, 2_480), (270, 2_290, 3_010), (570, 840, 2_410),
    (300, 870, 2_240),
  ]

  /// A vowel with gliding pitch. The vowel is loud for one second and 60 dB softer for the next
  /// second, in repeating order.
  package static func vowelsWithPauses(count: Int, rate: Double) -> [Float] {
    var phase = 0.0
    return (0..<count).map { index in
      let time = Double(index) / rate
      phase += 2 * .pi * (120 + 20 * sin(2 * .pi * 0.7 * time)) / rate
      let vowel = (1...11).reduce(0.0) { $0 + sin(Double($1) * phase) / Double($1) }
      return Float((Int(time) % 2 == 0 ? 0.1 : 1e-4) * vowel)
    }
  }

  /// Phrases of one second, separated by pauses of 0.2 s. The RMS is about `level`.
  package static func speech(
    seconds: Double, rate: Double, level: Double = 0.05, seed: UInt64 = 5, pitch: Double = 120
  ) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    let count = Int(seconds * rate)
    var sections = [Resonance](repeating: Resonance(rate: rate), count: 3)
    var phase = 0.0
    var samples = [Double](repeating: 0, count: count)
    let syllable = 0.2
    var from = vowels[0]
    var to = vowels[1]
    var bend = 0.0
    for index in 0..<count {
      let time = Double(index) / rate
      let progress = (time / syllable).truncatingRemainder(dividingBy: 1)
      if index == 0 || progress * syllable * rate < 1 {
        from = to
        to = vowels.randomElement(using: &generator) ?? from
        bend = Double.random(in: -0.15...0.25, using: &generator)
      }
      let blend = min(1, progress * 2)
      let formants = [
        from.0 + (to.0 - from.0) * blend, from.1 + (to.1 - from.1) * blend,
        from.2 + (to.2 - from.2) * blend,
      ]
      phase +=
        pitch * (1 + bend * sin(.pi * progress) - 0.02 * time.remainder(dividingBy: 3)) / rate
      var pulse = Double.random(in: -0.01...0.01, using: &generator)
      if phase >= 1 {
        phase -= 1
        pulse += 1
      }
      let isPause = Int(time / syllable) % 6 == 5
      let loudness = isPause ? 0 : 0.4 + 0.6 * sin(.pi * progress)
      for (section, formant) in formants.enumerated() where formant < 0.45 * rate {
        samples[index] +=
          sections[section].process(pulse * loudness, formant, rate) / Double(section + 1)
      }
    }
    let power = samples.reduce(0) { $0 + $1 * $1 } / Double(max(1, count))
    let scale = level / max(power.squareRoot(), 1e-9)
    return samples.map { Float($0 * scale) }
  }

  /// A resonator with a bandwidth of 80 Hz.
  private struct Resonance {
    private let radius: Double
    private var last = 0.0
    private var beforeLast = 0.0

    init(rate: Double) { radius = exp(-.pi * 80 / rate) }

    mutating func process(_ sample: Double, _ frequency: Double, _ rate: Double) -> Double {
      let next =
        (1 - radius) * sample + 2 * radius * cos(2 * .pi * frequency / rate) * last
        - radius * radius * beforeLast
      (beforeLast, last) = (last, next)
      return next
    }
  }
}
