import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Synthetic speech, with the information which frames of 10 ms contain speech.
///
/// Vowels are pulses with gliding pitch, filtered by gliding formants. Between the vowels there are
/// fricatives and closures. Between the phrases there are pauses.
package struct SyntheticTalk {
  /// The samples, with an RMS of 0.1 while there is talk.
  package private(set) var samples: [Float] = []
  /// Element k is true if frame k contains talk. A frame lasts 10 ms.
  package private(set) var truth: [Bool] = []

  private let rate: Double
  private var generator: SeededGenerator
  private var pitch: Double
  private let basePitch: Double
  private var phase = 0.0
  private var formants: [Double] = [500, 1_500, 2_500]
  private var glottis = 0.0
  private var resonators = Array(repeating: (0.0, 0.0), count: 3)

  /// Creates half a second of silence, followed by `seconds` of talk. The sample rate is `rate` Hz.
  /// The mean pitch is about `pitch` Hz.
  package init(seconds: Double, rate: Double, pitch: Double, seed: UInt64) {
    self.rate = rate
    self.pitch = pitch
    basePitch = pitch
    generator = SeededGenerator(seed: seed)
    var talking: [Bool] = []
    pause(0.5, into: &talking)
    while Double(samples.count) < seconds * rate {
      for _ in 0..<Int.random(in: 3...8, using: &generator) { syllable(into: &talking) }
      pause(Double.random(in: 0.4...1.4, using: &generator), into: &talking)
    }
    let power = zip(samples, talking).reduce(0.0) { $0 + ($1.1 ? Double($1.0 * $1.0) : 0) }
    let gain = Float(0.1 / (power / Double(talking.filter { $0 }.count)).squareRoot())
    samples = samples.map { $0 * gain }
    let frames = Int(Double(samples.count) / rate * 100)
    truth = (0..<frames).map { frame in
      let range = Int(Double(frame) * rate / 100)..<Int(Double(frame + 1) * rate / 100)
      return talking[range].count { $0 } * 2 > range.count
    }
  }

  private mutating func pause(_ seconds: Double, into talking: inout [Bool]) {
    let count = Int(seconds * rate)
    samples += Array(repeating: 0, count: count)
    talking += Array(repeating: false, count: count)
  }

  /// Adds one syllable. A syllable is a closure or a fricative, followed by a vowel.
  private mutating func syllable(into talking: inout [Bool]) {
    let length = Int(Double.random(in: 0.03...0.08, using: &generator) * rate)
    if Bool.random(using: &generator) {
      var last = 0.0
      for index in 0..<length {
        let white = Double.random(in: -1...1, using: &generator)
        let envelope = sin(.pi * Double(index) / Double(length))
        samples.append(Float((white - last) * 0.003 * envelope))
        last = white
      }
    } else {
      samples += Array(repeating: 0, count: length)
    }
    talking += Array(repeating: true, count: length)
    vowel(into: &talking)
  }

  private mutating func vowel(into talking: inout [Bool]) {
    let vowels: [[Double]] = [
      [730, 1_090, 2_440], [270, 2_290, 3_010], [300, 870, 2_240], [530, 1_840, 2_480],
      [570, 840, 2_410], [490, 1_350, 1_690], [660, 1_720, 2_410],
    ]
    let goal = vowels[Int.random(in: 0..<vowels.count, using: &generator)]
    let start = formants
    let length = Int(Double.random(in: 0.1...0.28, using: &generator) * rate)
    let pitchStart = pitch
    let pitchGoal = basePitch * Double.random(in: 0.8...1.3, using: &generator)
    let strength = Double.random(in: 0.5...1, using: &generator)
    for index in 0..<length {
      let fraction = Double(index) / Double(length)
      pitch = pitchStart + (pitchGoal - pitchStart) * fraction
      phase += pitch / rate
      var sound = 0.0
      if phase >= 1 {
        phase -= 1
        sound = 1 + Double.random(in: -0.1...0.1, using: &generator)
      }
      // The spectrum of a voice falls by 6 dB per octave. This slope includes the radiation from
      // the mouth.
      glottis += (sound - glottis) * min(1, 2 * .pi * 300 / rate)
      sound = glottis
      for formant in 0..<3 {
        formants[formant] = start[formant] + (goal[formant] - start[formant]) * min(1, 3 * fraction)
        sound = resonate(sound, formant)
      }
      let envelope = min(1, min(fraction * 8, (1 - fraction) * 5))
      samples.append(Float(300 * sound * envelope * strength))
    }
    talking += Array(repeating: true, count: length)
  }

  private mutating func resonate(_ input: Double, _ formant: Int) -> Double {
    let radius = exp(-.pi * (60 + 40 * Double(formant)) / rate)
    let angle = 2 * .pi * formants[formant] / rate
    let (one, two) = resonators[formant]
    let gain = (1 - radius) * (1 - 2 * radius * cos(2 * angle) + radius * radius).squareRoot()
    let output = gain * input + 2 * radius * cos(angle) * one - radius * radius * two
    resonators[formant] = (output, one)
    return output
  }
}
