import Foundation
package import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Test signals as plain arrays.
package enum Signals {
  /// Whether a sanitizer makes the tests slow. If it is true, the tests use short signals. If the
  /// environment variable FULL_LENGTH is set, it is false.
  package static let isSanitized: Bool = {
    #if THREAD_SANITIZER || ADDRESS_SANITIZER
      ProcessInfo.processInfo.environment["FULL_LENGTH"] == nil
    #else
      false
    #endif
  }()

  /// Whether this is a debug build. In debug builds, rows of memory check their bounds. Therefore
  /// they are larger and slower.
  package static var isDebugBuild: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  package static func silence(_ count: Int) -> [Float] { Array(repeating: 0, count: count) }

  package static func sine(
    _ frequency: Double, rate: Double, count: Int, amplitude: Double = 0.1, phase: Double = 0
  ) -> [Float] {
    (0..<count).map { Float(amplitude * sin(2 * .pi * frequency * Double($0) / rate + phase)) }
  }

  package static func square(
    _ frequency: Double, rate: Double, count: Int, amplitude: Double = 1
  ) -> [Float] {
    sine(frequency, rate: rate, count: count, amplitude: 1).map {
      Float($0 >= 0 ? amplitude : -amplitude)
    }
  }

  package static func noise(
    count: Int, amplitude: Float = 0.1, using generator: inout SeededGenerator
  ) -> [Float] {
    (0..<count).map { _ in Float.random(in: -amplitude...amplitude, using: &generator) }
  }

  /// Uniformly distributed noise with peaks of at most `amplitude`. Full scale is 1.
  package static func noise(count: Int, amplitude: Float = 0.1, seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    return noise(count: count, amplitude: amplitude, using: &generator)
  }

  /// Samples of a random kind: random bit patterns, a square wave, silence, or noise. The square
  /// wave and the noise have a random amplitude of 1e-8…1e4.
  package static func arbitrary(
    count: Int, using generator: inout SeededGenerator
  ) -> [Float] {
    let kind = Int.random(in: 0..<5, using: &generator)
    let amplitude = Float(pow(10, Double.random(in: -8...4, using: &generator)))
    return (0..<count).map { index in
      switch kind {
      case 0: Float(bitPattern: UInt32.random(in: .min ... .max, using: &generator))
      case 1: index % 97 < 48 ? amplitude : -amplitude
      case 2: 0
      default: Float.random(in: -amplitude...amplitude, using: &generator)
      }
    }
  }

  /// Normally distributed white noise with an RMS of `rms`. Full scale is 1.
  package static func noise(count: Int, rms: Double, seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      let radius = (-2 * log(Double.random(in: 1e-300..<1, using: &generator))).squareRoot()
      return Float(rms * radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator)))
    }
  }

  /// Noise bursts that are as long as syllables. Between the bursts there is silence.
  package static func bursts(
    count: Int, rate: Double, using generator: inout SeededGenerator
  ) -> [Float] {
    (0..<count).map { index in
      let envelope = max(0, sin(2 * .pi * 4 * Double(index) / rate))
      return Float(envelope) * Float.random(in: -0.5...0.5, using: &generator)
    }
  }

  /// Chords with an abrupt start and a decay, as if plucked. Each has four tones and lasts 0.8 s.
  package static func chords(count: Int, rate: Double) -> [Float] {
    let roots = [165.0, 196, 220, 147, 185, 131]
    let length = Int(0.8 * rate)
    return (0..<count).map { index -> Float in
      let (note, age) = (index / length, Double(index % length) / rate)
      return [1, 1.26, 1.5, 2].reduce(Float(0)) { sum, ratio in
        let pitch = roots[note % roots.count] * ratio
        return sum + Float(sin(2 * .pi * pitch * age) * exp(-3 * age))
      }
    }
  }

  /// Random gains that resemble prescribed gains. They rise with frequency by at most 20 dB per
  /// octave. They are between 0 and 60 dB.
  package static func hearingLikeGains(
    centers: [Double], using generator: inout SeededGenerator
  ) -> [Double] {
    var gain = Double.random(in: 0...30, using: &generator)
    var result = [gain]
    for (low, high) in zip(centers, centers.dropFirst()) {
      let slope = Double.random(in: -4...18, using: &generator)
      gain += slope * log2(high / low)
      result.append(gain)
    }
    return result.map { min(max($0, 0), 60) }
  }

  /// The sum of two signals. If their lengths differ, the sum has the shorter length.
  package static func sum(_ first: [Float], _ second: [Float]) -> [Float] {
    zip(first, second).map { $0 + $1 }
  }

  package static func scaled(_ samples: [Float], by factor: Float) -> [Float] {
    samples.map { $0 * factor }
  }

  /// The samples, delayed by `frames` frames. The number of samples stays the same.
  package static func delayed(_ samples: [Float], by frames: Int) -> [Float] {
    silence(frames) + samples.dropLast(frames)
  }

  /// The bit patterns of samples. Two values are equal only if all samples are bit-identical.
  package struct Bits: Hashable, CustomStringConvertible {
    private let patterns: [UInt32]

    package init(_ samples: [Float]) {
      patterns = samples.map(\.bitPattern)
    }

    /// The number of samples, and a checksum (FNV-1a) of the patterns.
    package var description: String {
      let checksum = patterns.reduce(14_695_981_039_346_656_037 as UInt64) {
        ($0 ^ UInt64($1)) &* 1_099_511_628_211
      }
      return "\(patterns.count) samples with the checksum \(checksum)"
    }
  }

  package static func bits(_ samples: [Float]) -> Bits { Bits(samples) }

  package static func peak(_ samples: some Sequence<Float>) -> Float {
    // Reading an array is much faster than reading a sequence of unknown type.
    Array(samples).reduce(0) { max($0, abs($1)) }
  }

  package static func decibels(_ amplitude: Double) -> Double { 20 * log10(amplitude) }

  package static func amplitude(decibels: Double) -> Double { pow(10, decibels / 20) }

  package static func tone(_ frequency: Double, in samples: ArraySlice<Float>, rate: Double)
    -> Double
  {
    let step = 2 * Double.pi * frequency / rate
    var (real, imaginary, weight) = (0.0, 0.0, 0.0)
    let count = Double(samples.count)
    for (index, sample) in samples.enumerated() {
      let window = 0.5 - 0.5 * cos(2 * .pi * (Double(index) + 0.5) / count)
      real += window * Double(sample) * cos(step * Double(index))
      imaginary += window * Double(sample) * sin(step * Double(index))
      weight += window
    }
    return 2 * (real * real + imaginary * imaginary).squareRoot() / weight
  }

  /// Copies the samples, and calls `process` with the copy and the number of samples. Returns the
  /// copy after `process` has changed it.
  package static func processed(
    _ samples: [Float], by process: (UnsafeMutablePointer<Float>, Int) -> Void
  ) -> [Float] {
    var copy = samples
    copy.withUnsafeMutableBufferPointer { buffer in
      if let start = buffer.baseAddress { process(start, buffer.count) }
    }
    return copy
  }

  /// Resamples the samples from the sample rate `rate` to the sample rate `target`. The filter is a
  /// windowed sinc with 64 zero crossings.
  package static func resampled(
    _ samples: [Float], from rate: Double, to target: Double
  ) -> [Float] {
    let cutoff = min(1, target / rate)
    let halfWidth = Int(32 / cutoff)
    return (0..<Int(Double(samples.count) * target / rate)).map { index in
      let position = Double(index) * rate / target
      let middle = Int(position)
      var sum = 0.0
      for source in max(0, middle - halfWidth)...min(samples.count - 1, middle + halfWidth) {
        let x = position - Double(source)
        let sinc = x == 0 ? 1 : sin(.pi * x * cutoff) / (.pi * x * cutoff)
        sum += Double(samples[source]) * sinc * (0.5 + 0.5 * cos(.pi * x / Double(halfWidth + 1)))
      }
      return Float(sum * cutoff)
    }
  }

  /// The group delay in ms at `frequency` Hz, computed from an impulse response.
  package static func groupDelay(
    of impulseResponse: [Float], at frequency: Double, rate: Double
  ) -> Double {
    let step = 2 * Double.pi * frequency / rate
    let turn = SIMD2(cos(step), -sin(step))
    var (phasor, sum, timed) = (SIMD2(1.0, 0), SIMD2(0.0, 0), SIMD2(0.0, 0))
    for (index, sample) in impulseResponse.enumerated() {
      let part = Double(sample) * phasor
      sum += part
      timed += Double(index) * part
      phasor = SIMD2(
        phasor.x * turn.x - phasor.y * turn.y, phasor.x * turn.y + phasor.y * turn.x)
    }
    // The result is the real part of F(n · h) / F(h). F is the Fourier transform, h is the impulse
    // response and n is the sample index.
    return (timed * sum).sum() / (sum * sum).sum() / rate * 1_000
  }

  /// The gain in dB at `frequency` Hz, computed from an impulse response.
  package static func gain(
    of impulseResponse: [Float], impulse: Float = 1, at frequency: Double, rate: Double
  ) -> Double {
    let step = 2 * Double.pi * frequency / rate
    // A rotating phasor replaces the calls of sin and cos for every sample. It is much faster and
    // equally accurate. There are four phasors, and each is used for every fourth sample.
    func phasors(_ angles: SIMD4<Double>) -> (real: SIMD4<Double>, imaginary: SIMD4<Double>) {
      var (real, imaginary) = (SIMD4<Double>(), SIMD4<Double>())
      for lane in 0..<4 { (real[lane], imaginary[lane]) = (cos(angles[lane]), -sin(angles[lane])) }
      return (real, imaginary)
    }
    let turn = phasors(SIMD4(repeating: 4 * step))
    var phasor = phasors(SIMD4(0, 1, 2, 3) * step)
    var (reals, imaginaries) = (SIMD4<Double>(), SIMD4<Double>())
    for start in stride(from: 0, to: impulseResponse.count, by: 4) {
      var samples = SIMD4<Double>()
      for lane in 0..<min(4, impulseResponse.count - start) {
        samples[lane] = Double(impulseResponse[start + lane])
      }
      reals += samples * phasor.real
      imaginaries += samples * phasor.imaginary
      phasor = (
        phasor.real * turn.real - phasor.imaginary * turn.imaginary,
        phasor.real * turn.imaginary + phasor.imaginary * turn.real
      )
    }
    let (real, imaginary) = (reals.sum(), imaginaries.sum())
    return decibels((real * real + imaginary * imaginary).squareRoot() / Double(impulse))
  }
}
