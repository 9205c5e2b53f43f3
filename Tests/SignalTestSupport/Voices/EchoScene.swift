package import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A synthetic scene with four separate signals: the far voice, its echo in a room, near-end talk,
/// and noise.
package struct EchoScene {
  package let rate: Double
  package var far: [Float]
  package var echo: [Float]
  package var near: [Float]
  package var noise: [Float]

  /// The microphone signal, which is the sum of echo, near-end talk and noise.
  package var microphone: [Float] {
    far.indices.map { echo[$0] + near[$0] + noise[$0] }
  }

  /// Creates a scene in which the far end talks all the time. The noise is 50 dB below the echo.
  ///
  /// - Parameters:
  ///   - talk: The time range of near-end talk in seconds. Near-end talk and echo have the same
  ///     active level.
  ///   - change: The time in seconds at which the room changes, or nil if it never changes.
  ///   - delay: The delay of the devices in seconds.
  ///   - gain: The gain from the loudspeaker to the microphone.
  ///   - reverberation: The time in seconds in which the reflections decay by 60 dB.
  package init(
    rate: Double, seconds: Double, talk: Range<Double>? = nil, change: Double? = nil,
    delay: Double = 0, gain: Float = 1, reverberation: Double = 0.3,
    using generator: inout SeededGenerator
  ) {
    self.rate = rate
    let count = Int(rate * seconds)
    far = Self.speech(rate: rate, count: count, pitch: 110, using: &generator)
    let response = Self.room(
      rate: rate, delay: delay, reverberation: reverberation, using: &generator)
    echo = Self.convolved(far, response)
    if let change {
      let other = Self.room(
        rate: rate, delay: delay, reverberation: reverberation, using: &generator)
      let start = Int(change * rate)
      echo.replaceSubrange(start..., with: Self.convolved(far, other)[start...])
    }
    for index in echo.indices { echo[index] *= gain }
    let level = Self.level(echo[...])
    near = Array(repeating: 0, count: count)
    if let talk {
      let (start, end) = (Int(talk.lowerBound * rate), Int(talk.upperBound * rate))
      let voice = Self.speech(rate: rate, count: end - start, pitch: 190, using: &generator)
      let factor = Float((level / Self.level(voice[...])).squareRoot())
      for index in start..<end { near[index] = voice[index - start] * factor }
    }
    let amplitude = Float((level * 1e-5 * 3).squareRoot())
    noise = Signals.noise(count: count, amplitude: amplitude, using: &generator)
  }

  /// Synthetic speech for tests of echo cancellers. It consists of fricatives, pauses and voiced
  /// syllables. The harmonics of the syllables glide and pass through three formants.
  ///
  /// `SyntheticVoice` contains only vowels, which excite fewer frequencies. With it, the echo
  /// return loss enhancement is up to 12 dB lower.
  package static func speech(
    rate: Double, count: Int, pitch: Double, using generator: inout SeededGenerator
  ) -> [Float] {
    var samples: [Float] = []
    samples.reserveCapacity(count + Int(rate))
    while samples.count < count {
      let length = Int(Double.random(in: 0.12...0.3, using: &generator) * rate)
      let isVoiced = Double.random(in: 0...1, using: &generator) < 0.75
      let start = pitch * Double.random(in: 0.8...1.3, using: &generator)
      let glide = Double.random(in: -0.3...0.3, using: &generator)
      let formants =
        isVoiced
        ? [
          Double.random(in: 300...800, using: &generator),
          Double.random(in: 900...2_200, using: &generator),
          Double.random(in: 2_300...3_200, using: &generator),
        ] : [Double.random(in: 2_000...3_400, using: &generator)]
      let loudness = Double.random(in: 0.3...1, using: &generator) * (isVoiced ? 1 : 0.3)
      var source: [Double] = []
      var phase = 0.0
      for index in 0..<length {
        phase += start * (1 + glide * Double(index) / Double(length)) / rate
        var pulse = 0.1 * Double.random(in: -1...1, using: &generator)
        if isVoiced {
          if phase >= 1 {
            phase -= 1
            pulse += 1
          }
        } else {
          pulse = 0.2 * Double.random(in: -1...1, using: &generator)
        }
        source.append(pulse)
      }
      for formant in formants { source = resonated(source, formant, rate: rate) }
      for index in 0..<length {
        let window = sin(.pi * Double(index) / Double(length))
        samples.append(Float(loudness * window * source[index]))
      }
      if Double.random(in: 0...1, using: &generator) < 0.25 {
        let pause = Int(Double.random(in: 0.05...0.5, using: &generator) * rate)
        samples.append(contentsOf: Signals.silence(pause))
      }
    }
    samples.removeLast(samples.count - count)
    let factor = Float((0.01 / level(samples[...])).squareRoot())
    return samples.map { $0 * factor }
  }

  /// Filters the samples with a resonance that has a bandwidth of 120 Hz. Adds a fraction of the
  /// unfiltered signal.
  private static func resonated(_ samples: [Double], _ frequency: Double, rate: Double) -> [Double]
  {
    let radius = exp(-.pi * 120 / rate)
    let turn = 2 * radius * cos(2 * .pi * frequency / rate)
    var (one, two) = (0.0, 0.0)
    return samples.map { sample in
      let result = sample * (1 - radius) + turn * one - radius * radius * two
      (two, one) = (one, result)
      return result + 0.15 * sample
    }
  }

  /// The impulse response of a room, with a total energy of 1.
  ///
  /// Half of the energy is direct sound after 2 ms. The other half is in reflections at random
  /// times. There are 3,000 reflections per second. They decay by 60 dB in `reverberation` seconds.
  ///
  /// - Returns: The delay in frames and the amplitude of each reflection.
  package static func room(
    rate: Double, delay: Double, reverberation: Double, using generator: inout SeededGenerator
  ) -> [(frames: Int, strength: Float)] {
    var reflections = (0..<Int(3_000 * reverberation)).map { index in
      let time = (Double(index) + Double.random(in: 0..<1, using: &generator)) / 3_000
      let sign: Float = Bool.random(using: &generator) ? 1 : -1
      return (
        frames: Int((delay + 0.002 + time) * rate),
        strength: sign * Float(pow(10, -3 * time / reverberation))
      )
    }
    let energy = reflections.reduce(0) { $0 + $1.strength * $1.strength }
    for index in reflections.indices { reflections[index].strength /= (2 * energy).squareRoot() }
    reflections.append((frames: Int((delay + 0.002) * rate), strength: Float(0.5).squareRoot()))
    return reflections
  }

  package static func convolved(
    _ samples: [Float], _ reflections: [(frames: Int, strength: Float)]
  ) -> [Float] {
    var result = Signals.silence(samples.count)
    let count = samples.count
    samples.withUnsafeBufferPointer { samples in
      result.withUnsafeMutableBufferPointer { result in
        guard let source = samples.baseAddress, let target = result.baseAddress else { return }
        // The result is computed in parts of 4,096 frames, so that each part fits in the cache.
        for first in stride(from: 0, to: count, by: 4_096) {
          let end = min(first + 4_096, count)
          for (frames, strength) in reflections where frames < end {
            let start = max(first, frames)
            let (from, to) = (source + start - frames, target + start)
            for index in 0..<(end - start) { to[index] += strength * from[index] }
          }
        }
      }
    }
    return result
  }

  /// The mean power of the loud blocks of 160 samples. A block is loud if its level is at most 40
  /// dB below the level of the loudest block.
  package static func level(_ samples: ArraySlice<Float>) -> Double {
    let powers = stride(from: samples.startIndex, to: samples.endIndex - 160, by: 160).map {
      Signals.power(samples[$0..<$0 + 160])
    }
    let loudest = powers.max() ?? 0
    let active = powers.filter { $0 > loudest * 1e-4 }
    return active.reduce(0, +) / Double(max(active.count, 1))
  }
}
