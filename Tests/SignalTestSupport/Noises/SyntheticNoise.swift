package import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Synthetic sounds without voice. Each sound has an RMS of 1.
package enum SyntheticNoise {
  /// Pink noise: the sum of the outputs of five low-pass filters with white noise as their input.
  /// The spectrum falls by about 3 dB per octave.
  package static func pink(
    count: Int, rate: Double, using generator: inout SeededGenerator
  ) -> [Float] {
    var states = [0.0, 0.0, 0.0, 0.0, 0.0]
    let corners = [30.0, 120, 480, 1_920, 7_680]
    let shares = corners.map { 1 - exp(-2 * .pi * min($0, 0.45 * rate) / rate) }
    return normalized(
      (0..<count).map { _ in
        let white = Double.random(in: -1...1, using: &generator)
        var sum = 0.0
        for index in states.indices {
          states[index] += (white - states[index]) * shares[index]
          // This factor makes the powers of the five filter outputs nearly equal.
          sum += states[index] / shares[index].squareRoot()
        }
        return sum
      })
  }

  /// The sound of a fan: mains hum, the tone of the blades, and wind noise.
  package static func fan(
    count: Int, rate: Double, using generator: inout SeededGenerator
  ) -> [Float] {
    let phases = (0..<16).map { _ in Double.random(in: 0...6.28, using: &generator) }
    let offsets = phases[1...10].map { Harmonics(phase: $0) }
    var wind = 0.0
    return normalized(
      (0..<count).map { index in
        let time = Double(index) / rate
        wind += (Double.random(in: -1...1, using: &generator) - wind) * 0.05
        var sum = 6 * wind
        var hum = Harmonics(phase: 2 * .pi * 50 * time)
        for (harmonic, offset) in offsets.enumerated() {
          sum += (hum.sine * offset.cosine + hum.cosine * offset.sine) / Double(harmonic + 1)
          hum.advance()
        }
        let wobble = 0.3 * sin(2 * .pi * 0.3 * time)
        var blades = Harmonics(phase: 2 * .pi * 137 * time + wobble)
        for _ in 1...4 {
          sum += 0.5 * blades.sine
          blades.advance()
        }
        return sum * (1 + 0.1 * sin(2 * .pi * 0.5 * time))
      })
  }

  /// Chords and a melody. Each tone has four harmonics, a sharp attack and a decay.
  package static func music(
    count: Int, rate: Double, using generator: inout SeededGenerator
  ) -> [Float] {
    let scale = [0.0, 2, 4, 5, 7, 9, 11, 12]
    var sound = Array(repeating: 0.0, count: count)
    let beat = Int(0.5 * rate)
    for (step, place) in stride(from: 0, to: count, by: beat).enumerated() {
      let root = [0, 9, 5, 7][step / 4 % 4]
      var notes = [24 + scale[Int.random(in: 0..<scale.count, using: &generator)]]
      if step % 4 == 0 { notes += [0, 4, 7].map { Double(root + $0) } }
      for note in notes {
        let length = min(note < 24 ? 4 * beat : beat, count - place)
        let frequency = 130.81 * exp2(note / 12)
        for index in 0..<length {
          let time = Double(index) / rate
          let envelope = min(1, time / 0.01) * exp(-1.5 * time)
          var tone = 0.0
          var harmonics = Harmonics(phase: 2 * .pi * frequency * time)
          for harmonic in 1...4 {
            tone += harmonics.sine / Double(harmonic)
            harmonics.advance()
          }
          sound[place + index] += tone * envelope
        }
      }
    }
    return normalized(sound)
  }

  /// The sine and cosine of the multiples of a phase in radians. The addition theorem gives each
  /// multiple from the previous one. This is several times as fast as calls of `sin`.
  private struct Harmonics {
    var sine: Double
    var cosine: Double
    private let first: (sine: Double, cosine: Double)

    init(phase: Double) {
      first = (sin(phase), cos(phase))
      (sine, cosine) = first
    }

    mutating func advance() {
      (sine, cosine) = (
        sine * first.cosine + cosine * first.sine, cosine * first.cosine - sine * first.sine
      )
    }
  }

  private static func normalized(_ sound: [Double]) -> [Float] {
    let power = sound.reduce(0) { $0 + $1 * $1 } / Double(max(1, sound.count))
    let gain = 1 / power.squareRoot()
    return sound.map { Float($0 * gain) }
  }
}
