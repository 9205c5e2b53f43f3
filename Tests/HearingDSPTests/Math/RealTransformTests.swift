import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingDSP

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

final class RealTransformTests: XCTestCase {
  private let lengths = [32, 64, 128, 256, 512, 1_024]

  private struct Spectrum {
    var real: [Float]
    var imaginary: [Float]
  }

  private func spectrum(_ samples: [Float]) -> Spectrum {
    let transform = RealTransform(length: samples.count)
    var result = Spectrum(
      real: Array(repeating: .nan, count: transform.bins),
      imaginary: Array(repeating: .nan, count: transform.bins))
    result.real.withUnsafeMutableBufferPointer { real in
      result.imaginary.withUnsafeMutableBufferPointer { imaginary in
        let (real, imaginary) = (real.row, imaginary.row)
        samples.withUnsafeBufferPointer { samples in
          let samples = samples.row
          transform.forward(samples, real: real, imaginary: imaginary)
        }
      }
    }
    return result
  }

  private func samples(_ spectrum: Spectrum) -> [Float] {
    let transform = RealTransform(length: 2 * (spectrum.real.count - 1))
    var result = [Float](repeating: .nan, count: transform.length)
    result.withUnsafeMutableBufferPointer { samples in
      spectrum.real.withUnsafeBufferPointer { real in
        spectrum.imaginary.withUnsafeBufferPointer { imaginary in
          transform.inverse(real: real.row, imaginary: imaginary.row, to: samples.row)
        }
      }
    }
    return result
  }

  func test_forward_noise_equalsTheDefinitionOfTheFourierTransform() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for length in lengths {
      let noise = Signals.noise(count: length, amplitude: 1, using: &generator)
      let result = spectrum(noise)
      let tolerance = 1e-6 * Double(length)
      let bins = length <= 256 ? Array(0...length / 2) : [0, 1, 3, 4, 5, length / 4, length / 2]
      for bin in bins {
        var (real, imaginary) = (0.0, 0.0)
        for (index, sample) in noise.enumerated() {
          let angle = -2 * Double.pi * Double(index * bin % length) / Double(length)
          real += Double(sample) * cos(angle)
          imaginary += Double(sample) * sin(angle)
        }
        XCTAssertEqual(Double(result.real[bin]), real, accuracy: tolerance, "\(length) \(bin)")
        XCTAssertEqual(
          Double(result.imaginary[bin]), imaginary, accuracy: tolerance, "\(length) \(bin)")
      }
    }
  }

  func test_forward_noise_keepsTheEnergy() {
    var generator = SeededGenerator(seed: 2)
    for length in lengths {
      let noise = Signals.noise(count: length, amplitude: 1, using: &generator)
      let result = spectrum(noise)
      var energy = 0.0
      for bin in 0...length / 2 {
        let power =
          Double(result.real[bin] * result.real[bin])
          + Double(result.imaginary[bin] * result.imaginary[bin])
        energy += bin == 0 || bin == length / 2 ? power : 2 * power
      }
      let expected = noise.reduce(0.0) { $0 + Double($1 * $1) }
      XCTAssertEqual(energy / Double(length) / expected, 1, accuracy: 1e-5, "\(length)")
    }
  }

  func test_inverse_ofTheForwardTransform_restoresTheSamples() {
    var generator = SeededGenerator(seed: 3)
    for length in lengths {
      let noise = Signals.noise(count: length, amplitude: 1, using: &generator)
      let result = samples(spectrum(noise))
      for index in 0..<length {
        XCTAssertEqual(result[index], noise[index], accuracy: 2e-6, "\(length) \(index)")
      }
    }
  }

  func test_inverse_ofSpectrumTimesDelaySpectrum_isTheCircularlyDelayedSignal() {
    // The impulse is delayed by five samples.
    let length = 64
    var impulse = [Float](repeating: 0, count: length)
    impulse[5] = 1
    let delay = spectrum(impulse)
    var generator = SeededGenerator(seed: 4)
    let noise = Signals.noise(count: length, amplitude: 1, using: &generator)
    var product = spectrum(noise)
    for bin in 0...length / 2 {
      let (real, imaginary) = (product.real[bin], product.imaginary[bin])
      product.real[bin] = real * delay.real[bin] - imaginary * delay.imaginary[bin]
      product.imaginary[bin] = real * delay.imaginary[bin] + imaginary * delay.real[bin]
    }
    let result = samples(product)
    for index in 0..<length {
      XCTAssertEqual(result[(index + 5) % length], noise[index], accuracy: 1e-5)
    }
  }

  func test_forward_silence_isExactlyZero() {
    let result = spectrum(Signals.silence(256))
    XCTAssertEqual(result.real, Signals.silence(129))
    XCTAssertEqual(result.imaginary, Signals.silence(129))
  }
}
