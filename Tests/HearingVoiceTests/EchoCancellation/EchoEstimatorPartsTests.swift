import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

/// Tests each stage of the residual echo estimator separately.
final class EchoEstimatorPartsTests: XCTestCase {
  private let tuning = EchoTuning()
  private var generator = SeededGenerator(seed: 97)

  /// Sets the band powers of one frame. The microphone signal is the sum of two signals: the echo,
  /// multiplied by `gain`, and near-end sound that is incoherent with the echo.
  private func frame(
    _ bands: borrowing EchoBands, echo: [Float], gain: Float = 1, near: [Float] = [],
    coherence: Float = 1
  ) {
    for band in 0..<bands.count {
      let (y, n) = (echo[band % echo.count], near.isEmpty ? 0 : near[band % near.count])
      bands.reference[band] = y
      bands.echo[band] = y
      bands.microphone[band] = gain * gain * y + n
      bands.product[band] = coherence * gain * y
    }
  }

  /// Random band powers for one frame. The powers differ between bands and between calls.
  private func powers(_ level: Float = 1e-4) -> [Float] {
    (0..<40).map { _ in level * pow(10, Float.random(in: -1.5...1.5, using: &generator)) }
  }

  // MARK: PathEvidence

  func test_pathEvidence_detectsThePathFromEcho_butNotFromRandomCoherence() {
    let bands = EchoBands(sampleRate: 16_000)
    var echo = PathEvidence(padded: bands.padded)
    var chance = PathEvidence(padded: bands.padded)
    var found: Int?
    for index in 0..<200 {
      frame(bands, echo: powers())
      echo.update(bands, isPlaying: true)
      if echo.isKnown && found == nil { found = index }
      // The product of two unrelated signals can be positive or negative.
      frame(bands, echo: powers(), near: powers())
      for band in 0..<bands.count {
        bands.product[band] = bands.echo[band] * Float.random(in: -1...1, using: &generator)
      }
      chance.update(bands, isPlaying: true)
      XCTAssertFalse(chance.isKnown, "frame \(index)")
    }
    XCTAssertLessThan(found ?? 200, 40)
    XCTAssertEqual(echo.coherence, Float(bands.count) / Float(bands.count + 8), accuracy: 0.05)
    XCTAssertEqual(echo.dominance, 1, accuracy: 0.05)
    XCTAssertEqual(echo.fit, 1, accuracy: 0.05)
  }

  func test_pathEvidence_withoutCoherence_discardsThePathAfter30To250Frames() {
    let bands = EchoBands(sampleRate: 16_000)
    var path = PathEvidence(padded: bands.padded)
    for _ in 0..<300 {
      frame(bands, echo: powers())
      path.update(bands, isPlaying: true)
    }
    XCTAssertTrue(path.isKnown)
    var forgotten: Int?
    for index in 0..<300 where forgotten == nil {
      frame(bands, echo: powers(), near: powers(1e-2), coherence: 0)
      path.update(bands, isPlaying: true)
      if !path.isKnown { forgotten = index }
    }
    XCTAssertGreaterThan(forgotten ?? 0, 30, "a moment of near talk is no reason")
    XCTAssertLessThan(forgotten ?? 300, 250)
  }

  func test_pathEvidence_fitOfTheEstimate_risesOnlyWhileThePathIsKnown_andFallsWithoutCoherence() {
    let bands = EchoBands(sampleRate: 16_000)
    var path = PathEvidence(padded: bands.padded)
    // The microphone contains soft echo, and near-end sound that is 30 dB louder than the echo.
    for _ in 0..<200 {
      frame(bands, echo: powers(), near: powers(1e-1))
      path.update(bands, isPlaying: true)
    }
    XCTAssertFalse(path.isKnown)
    XCTAssertEqual(path.fit, 0)
    for _ in 0..<200 {
      frame(bands, echo: powers())
      path.update(bands, isPlaying: true)
    }
    XCTAssertGreaterThan(path.fit, 0.9)
    for _ in 0..<1_000 {
      frame(bands, echo: powers(), near: powers(1e-2), coherence: 0)
      path.update(bands, isPlaying: true)
    }
    XCTAssertFalse(path.isKnown)
    XCTAssertLessThan(path.fit, 0.05, "headphones were connected")
  }

  func test_pathEvidence_detectsAChangeOfThePath_whenEchoStopsOrGrows_butNotDuringNearTalk() {
    let bands = EchoBands(sampleRate: 16_000)
    for (gain, near, isChange) in [(0, [], true), (2.5, [], true), (1, [1e-2], false)]
      as [(Float, [Float], Bool)]
    {
      var path = PathEvidence(padded: bands.padded)
      for _ in 0..<200 {
        frame(bands, echo: powers())
        path.update(bands, isPlaying: true)
      }
      XCTAssertEqual(path.change, 0, accuracy: 0.05)
      var maximum: Float = 0
      for _ in 0..<15 {
        frame(bands, echo: powers(), gain: gain, near: near)
        path.update(bands, isPlaying: true)
        maximum = max(maximum, path.change)
      }
      if isChange {
        XCTAssertGreaterThan(maximum, 0.3, "gain \(gain)")
      } else {
        XCTAssertLessThan(maximum, 0.05)
      }
    }
  }

  // MARK: PatternCorrelation

  /// The two correlations between an output signal and an echo. They are measured in the frames
  /// from 2 s on.
  private func correlation(
    _ output: (_ echo: [Float]) -> [Float]
  ) -> (levels: Float, shape: Float) {
    let bands = EchoBands(sampleRate: 16_000)
    var pattern = PatternCorrelation(padded: bands.padded)
    let rows = FloatRows(count: 4, length: bands.padded)
    for band in 0..<bands.padded { (rows[2][band], rows[3][band]) = (1 / 40, 1e-4) }
    // The echo and the output change to a different sound every 0.1 s.
    var (echo, heard) = (powers(), powers())
    for index in 0..<200 {
      if index % 10 == 0 {
        echo = powers()
        heard = output(echo)
      }
      for band in 0..<bands.count {
        (rows[0][band], rows[1][band]) = (heard[band % 40], echo[band % 40])
      }
      pattern.update(
        output: rows[0], echo: rows[1], played: 1e-5, shape: rows[2], meanEcho: rows[3])
    }
    return (pattern.ofLevels, pattern.ofShape)
  }

  func test_patternCorrelation_isHighForSofterEcho_andLowForOtherSound() {
    // A gain does not change the spectral pattern of a sound.
    let echo = correlation { echo in echo.map { 0.003 * $0 } }
    print("patterns of echo:", echo)
    XCTAssertGreaterThan(echo.levels, 0.6)
    XCTAssertGreaterThan(echo.shape, 0.6)
    let other = correlation { _ in powers() }
    XCTAssertLessThan(abs(other.levels), 0.3)
    XCTAssertLessThan(abs(other.shape), 0.3)
    let steady = correlation { _ in Array(repeating: 1e-4, count: 40) }
    XCTAssertLessThan(abs(steady.levels), 0.2)
  }

  func test_patternCorrelation_afterPausesOfThePlayback_isLowForOtherSound() {
    // For 3.5 s, echo and output are different sounds. After that, both are silent for 3 s. This
    // repeats. The pauses must not count in the mean levels. Otherwise, both sounds would be far
    // above their means. Most of each pause must not count in the correlation either, because the
    // silence of both signals would look like similarity.
    let bands = EchoBands(sampleRate: 16_000)
    var pattern = PatternCorrelation(padded: bands.padded)
    let rows = FloatRows(count: 4, length: bands.padded)
    for band in 0..<bands.padded { (rows[2][band], rows[3][band]) = (1 / 40, 1e-4) }
    var (echo, heard) = (powers(), powers())
    var (sum, count, end): (Float, Float, Float) = (0, 0, 0)
    for index in 0..<20 * 650 {
      if index % 10 == 0 { (echo, heard) = (powers(), powers()) }
      let isPause = index % 650 >= 350
      for band in 0..<bands.count {
        rows[0][band] = isPause ? 1e-6 : heard[band % 40]
        rows[1][band] = isPause ? 1e-6 : echo[band % 40]
      }
      pattern.update(
        output: rows[0], echo: rows[1], played: isPause ? 1e-10 : 1e-5, shape: rows[2],
        meanEcho: rows[3])
      if index >= 650, (250..<350).contains(index % 650) {
        (sum, count) = (sum + pattern.ofLevels, count + 1)
      }
      if index >= 650, index % 650 == 649 { end = max(end, pattern.ofLevels) }
    }
    print("correlation of other sound: \(sum / count) in the mean, \(end) at the end of pauses")
    XCTAssertLessThan(sum / count, 0.4)
    XCTAssertLessThan(end, 0.95)
  }

  // MARK: DistortionEvidence

  func test_distortionEvidence_requiresSecondsOfOutputSimilarToAWeakEchoEstimate() {
    func value(_ frames: Int, dominance: Float, _ resemblance: (Int) -> Float) -> Float {
      var evidence = DistortionEvidence()
      for frame in 0..<frames {
        evidence.add(resemblance: resemblance(frame), dominance: dominance)
      }
      return evidence.value
    }
    XCTAssertEqual(value(400, dominance: 30) { _ in 1.1 }, 1)
    XCTAssertEqual(value(100, dominance: 30) { _ in 1.1 }, 0, "after 1 s")
    XCTAssertEqual(value(400, dominance: 2) { _ in 1.1 }, 0, "the filter estimates the echo well")
    // In this case, near-end talk resembles the echo for half a second, again and again.
    XCTAssertEqual(value(2_000, dominance: 30) { $0 % 100 < 50 ? 1.2 : 0.3 }, 0)
    // Near-end talk that begins during strongly distorted echo removes the evidence within 1 s.
    XCTAssertEqual(value(500, dominance: 30) { $0 < 400 ? 1.2 : 0.4 }, 0)
  }

  // MARK: ResidualEcho

  func test_residualEcho_risesOnlyIfTheOutputIsLikeTheEcho_butAlwaysFallsWithTheOutput() {
    let bands = EchoBands(sampleRate: 16_000)
    let rows = FloatRows(count: 1, length: bands.padded)
    func expected(fraction: Float, similarity: Float) -> Float {
      var residual = ResidualEcho(padded: bands.padded)
      for index in 0..<300 {
        frame(bands, echo: [1e-3])
        // Loud and soft frames alternate. Otherwise, the estimator would treat the sound as
        // background noise.
        let level: Float = index % 20 < 16 ? fraction * 1e-3 : 0
        for band in 0..<bands.padded { rows[0][band] = level }
        residual.update(bands, output: rows[0])
        residual.estimate(
          output: rows[0], similarity: similarity, changed: 0, fit: 1, distorted: 0)
      }
      return residual.power[5] / 1e-3
    }
    let initial: Float = 0.03 + 0.003 + 0.02
    XCTAssertEqual(expected(fraction: 0.5, similarity: 1), 0.5, accuracy: 0.25)
    XCTAssertLessThanOrEqual(expected(fraction: 0.5, similarity: 0), 1.1 * initial)
    XCTAssertLessThan(expected(fraction: 0, similarity: 0), 0.2 * initial)
    XCTAssertGreaterThan(expected(fraction: 0, similarity: 0), 0.002, "the minimum is −25 dB")
  }

  func test_residualEcho_ofStrongDistortion_isFarAboveTheEstimate_andFallsWhenPlaybackEnds() {
    let bands = EchoBands(sampleRate: 16_000)
    let rows = FloatRows(count: 1, length: bands.padded)
    /// The power of the residual echo in two frames: during playback, and 0.3 s after its end. Both
    /// powers are divided by the power of the echo estimate.
    func expected(distorted: Float) -> (during: Float, after: Float) {
      var residual = ResidualEcho(padded: bands.padded)
      func add(_ level: Float, similarity: Float) {
        frame(bands, echo: [1e-6 * level])
        for band in 0..<bands.padded { rows[0][band] = 1e-4 * level }
        residual.update(bands, output: rows[0])
        residual.estimate(
          output: rows[0], similarity: similarity, changed: 0, fit: 0, distorted: distorted)
      }
      for index in 0..<300 { add(index % 20 < 16 ? 1 : 0.001, similarity: 1) }
      for _ in 0..<10 { add(1, similarity: 1) }
      let during = residual.power[5] / 1e-6
      for _ in 0..<30 { add(0, similarity: 0) }
      return (during, residual.power[5] / 1e-6)
    }
    let with = expected(distorted: 1)
    print("expected echo relative to its estimate:", with)
    XCTAssertGreaterThan(with.during, 30, "the output is 100 times as strong as the estimate")
    XCTAssertLessThan(with.after, 0.05 * with.during)
    XCTAssertEqual(expected(distorted: 0).during, 0, "without fit and distortion")
  }

  func test_residualEcho_pathGain_isTheRatioOfEchoToReference() {
    let bands = EchoBands(sampleRate: 16_000)
    var residual = ResidualEcho(padded: bands.padded)
    for _ in 0..<50 {
      frame(bands, echo: powers())
      for band in 0..<bands.count { bands.reference[band] *= 100 }
      residual.update(bands, output: bands.echo.row)
    }
    XCTAssertEqual(residual.pathGain, 0.01, accuracy: 0.000_1)
  }

  // MARK: EchoGain

  func test_echoGain_passesSoundAboveTheEcho_andRemovesTheEcho() {
    let rows = FloatRows(count: 3, length: 40)
    var gain = EchoGain(padded: 40)
    func update(_ output: Float, _ expected: Float, margin: Float) -> Float {
      for band in 0..<40 { (rows[0][band], rows[1][band], rows[2][band]) = (output, 0, expected) }
      gain.update(
        output: rows[0], noise: rows[1], residual: rows[2], margin: margin, certainty: 0)
      return gain.gains[20]
    }
    XCTAssertEqual(update(1e-3, 1e-6, margin: 1.5), 1 - 0.001_5, accuracy: 1e-4)
    XCTAssertGreaterThan(gain.nearRatio, 0.99)
    XCTAssertEqual(update(1e-3, 5e-4, margin: 1.5), 0.25, accuracy: 1e-3)
    XCTAssertEqual(update(1e-3, 1e-3, margin: 1.5), tuning.minimumGain)
    XCTAssertLessThan(gain.nearRatio, 0.01)
    XCTAssertEqual(update(1e-3, 5e-5, margin: 30), tuning.minimumGain, "more evidence, more margin")
    gain.pass()
    XCTAssertEqual(gain.gains[20], 1)
    XCTAssertEqual(gain.nearRatio, 1)
  }

  /// The gain of a band also depends on two neighbouring bands on either side. They have smaller
  /// weights.
  func test_echoGain_echoInOneBand_attenuatesNeighbouringBandsBelowAndAboveEqually() {
    let rows = FloatRows(count: 3, length: 40)
    var gain = EchoGain(padded: 40)
    for band in 0..<40 {
      (rows[0][band], rows[1][band], rows[2][band]) = (1e-3, 0, band == 20 ? 1e-3 : 0)
    }
    gain.update(output: rows[0], noise: rows[1], residual: rows[2], margin: 1.5, certainty: 0)
    let expectedGains: [Float] = [0.5, 2.0 / 3, 5.0 / 6, 1]
    for (distance, expected) in expectedGains.enumerated() {
      XCTAssertEqual(gain.gains[20 - distance], expected, accuracy: 1e-4, "\(distance) bands below")
      XCTAssertEqual(gain.gains[20 + distance], expected, accuracy: 1e-4, "\(distance) bands above")
    }
  }

  func test_echoGain_withHighCertainty_suppressesALoudBandIfAllBandsTogetherAreMostlyEcho() {
    let rows = FloatRows(count: 3, length: 40)
    var gain = EchoGain(padded: 40)
    for band in 0..<40 {
      (rows[0][band], rows[1][band], rows[2][band]) = (band == 20 ? 1e-3 : 1e-5, 0, 1e-5)
    }
    func gainOfLoudBand(certainty: Float) -> Float {
      gain.update(
        output: rows[0], noise: rows[1], residual: rows[2], margin: 3, certainty: certainty)
      return gain.gains[20]
    }
    XCTAssertGreaterThan(gainOfLoudBand(certainty: 0), 0.9)
    XCTAssertLessThan(gainOfLoudBand(certainty: 1), 0.3)
  }
}

/// Several rows of numbers that a test can write.
private struct FloatRows {
  private let memory: [OwnedBox]

  /// The owner of one row.
  private final class OwnedBox {
    let row: OwnedRow<Float>
    init(_ length: Int) { row = .filled(0, count: length) }
  }

  init(count: Int, length: Int) { memory = (0..<count).map { _ in OwnedBox(length) } }

  subscript(index: Int) -> Row<Float> { memory[index].row.row }
}
