import Foundation
import TestSupport

/// Signals for tests.
enum TestSignals {
  /// White noise with a normal distribution and the given RMS.
  static func noise(_ count: Int, rms: Double, seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      let radius = (-2 * log(Double.random(in: 1e-300..<1, using: &generator))).squareRoot()
      return Float(rms * radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator)))
    }
  }

  /// Uniformly distributed random numbers in -1..<1.
  static func uniform(_ count: Int, seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in Float.random(in: -1..<1, using: &generator) }
  }
}
