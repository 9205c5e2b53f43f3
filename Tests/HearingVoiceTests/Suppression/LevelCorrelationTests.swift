import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class LevelCorrelationTests: XCTestCase {
  private let bins = 257

  /// Levels for five seconds of frames of 5 ms, with a new syllable level every 100 ms.
  private func syllables(using generator: inout SeededGenerator) -> [Float] {
    (0..<50).flatMap { _ in
      [Float](repeating: Float.random(in: -10...0, using: &generator), count: 20)
    }
  }

  /// Random spectral shapes, with a new shape every 100 ms. A shape has a level for each group of
  /// 16 bins.
  private func shapes(using generator: inout SeededGenerator) -> [[Float]] {
    (0..<50).flatMap { _ in
      let shape = (0..<bins).map { _ in Float(0) }
      var filled = shape
      for group in stride(from: 0, to: bins, by: 16) {
        let level = Float.random(in: -4...4, using: &generator)
        for bin in group..<min(bins, group + 16) { filled[bin] = level }
      }
      return [[Float]](repeating: filled, count: 20)
    }
  }

  /// The power of a frame; the levels are logarithms to base 2.
  private func power(_ level: Float, _ shape: [Float]) -> [Float] {
    shape.map { exp2(level + $0) * 1e-4 }
  }

  private func correlation(
    _ frames: [(output: [Float], echo: [Float])]
  ) -> (levels: Float, shape: Float) {
    var correlation = LevelCorrelation(bins: bins, sampleRate: 16_000)
    for frame in frames {
      var (output, echo) = (frame.output, frame.echo)
      output.withUnsafeMutableBufferPointer { output in
        echo.withUnsafeMutableBufferPointer { echo in
          let (one, other) = (output.row, echo.row)
          correlation.update(output: one, echo: other)
        }
      }
    }
    return (correlation.ofLevels, correlation.ofShape)
  }

  func test_update_leakingEcho_correlatesInLevelsAndShape() {
    var generator = SeededGenerator(seed: 87)
    let (levels, shapes) = (syllables(using: &generator), shapes(using: &generator))
    let frames = levels.indices.map { index in
      let echo = power(levels[index], shapes[index])
      return (echo.map { $0 * 0.01 }, echo)
    }
    let found = correlation(frames)
    XCTAssertGreaterThan(found.levels, 0.9)
    XCTAssertGreaterThan(found.shape, 0.9)
  }

  func test_update_talkWithTheSameSyllables_correlatesInLevelsOnly() {
    var generator = SeededGenerator(seed: 88)
    let levels = syllables(using: &generator)
    let (near, far) = (shapes(using: &generator), shapes(using: &generator))
    let found = correlation(
      levels.indices.map { (power(levels[$0], near[$0]), power(levels[$0], far[$0])) })
    XCTAssertGreaterThan(found.levels, 0.4)
    XCTAssertLessThan(found.shape, 0.25)
  }

  func test_reset_afterUse_knowsNothing() {
    var correlation = LevelCorrelation(bins: bins, sampleRate: 16_000)
    correlation.reset()
    XCTAssertEqual(correlation.ofLevels, 0)
    XCTAssertEqual(correlation.ofShape, 0)
  }
}
