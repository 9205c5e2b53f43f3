import Foundation

/// A synthetic talker. A voice with a gliding pitch passes through three formant filters. The talk
/// consists of syllables, with pauses between sentences.
struct TalkSound {
  private let sampleRate: Double
  private var generator: SeededGenerator
  private var phase = 0.0
  private var pitch = 120.0
  private var remaining = 0
  private var length = 1
  private var syllables = 0
  private var isVoiced = false
  private var level: Float = 0
  private var formants = [Resonator](repeating: Resonator(), count: 3)

  private struct Resonator {
    var a1: Float = 0
    var a2: Float = 0
    var y1: Float = 0
    var y2: Float = 0

    mutating func tune(_ frequency: Double, sampleRate: Double) {
      let radius = exp(-Double.pi * 90 / sampleRate)
      a1 = Float(2 * radius * cos(2 * Double.pi * frequency / sampleRate))
      a2 = Float(-radius * radius)
    }

    mutating func filter(_ x: Float) -> Float {
      let y = (1 - a1 - a2) * x + a1 * y1 + a2 * y2
      (y2, y1) = (y1, y)
      return y
    }
  }

  init(sampleRate: Double, seed: UInt64) {
    self.sampleRate = sampleRate
    generator = SeededGenerator(seed: seed)
    pitch = generator.number(95, 210)
  }

  mutating func fill(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    for index in 0..<count {
      if remaining == 0 { startSyllable() }
      remaining -= 1
      guard isVoiced else {
        samples[index] = 1e-4 * generator.noise()
        continue
      }
      let remainder = Float(remaining) / Float(length)
      phase += pitch * (0.9 + 0.2 * Double(remainder)) / sampleRate
      if phase >= 1 { phase -= 1 }
      let source = Float(phase) - 0.5 + 0.05 * generator.noise()
      var sample: Float = 0
      for formant in formants.indices { sample += formants[formant].filter(source) }
      samples[index] = level * min(1, 8 * remainder * (1 - remainder)) * sample
    }
  }

  private mutating func startSyllable() {
    var seconds = generator.number(0.12, 0.3)
    if syllables == 0 {
      isVoiced = false
      seconds = generator.number(0.6, 1.6)
      syllables = generator.integer(6...14)
    } else {
      isVoiced = !isVoiced || generator.chance(0.7)
      if !isVoiced { seconds = 0.06 }
      syllables -= 1
    }
    length = max(1, Int(seconds * sampleRate))
    remaining = length
    level = Float(generator.number(0.05, 0.25))
    let ranges = [(300.0, 800.0), (900, 2_200), (2_300, 3_200)]
    for (index, range) in ranges.enumerated() {
      formants[index].tune(generator.number(range.0, range.1), sampleRate: sampleRate)
    }
  }
}
