import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class SpeechBandsTests: XCTestCase {
  /// The inputs of the network after `frames` frames. All bins of a frame have the same power.
  private func measured(_ bands: inout SpeechBands, bins: Int, power: Float, frames: Int)
    -> [Float]
  {
    var spectrum = [Float](repeating: power, count: bins + 3)
    var levels = [Float](repeating: 0, count: SpeechBands.inputCount)
    spectrum.withUnsafeMutableBufferPointer { spectrum in
      levels.withUnsafeMutableBufferPointer { levels in
        let (from, to) = (spectrum.row, levels.row)
        for _ in 0..<frames { bands.measure(from, to: to) }
      }
    }
    return levels
  }

  /// The band levels after three frames of steady noise. The power of the noise per Hz is `power`.
  private func levels(rate: Double, power: Float) -> [Float] {
    let bins = ShortTimeFrames(sampleRate: rate).bins
    var bands = SpeechBands(bins: bins, sampleRate: rate)
    let width = Float(rate) / Float(2 * (bins - 1))
    let levels = measured(&bands, bins: bins, power: power * width, frames: 3)
    return Array(levels.prefix(SpeechBands.count))
  }

  func test_centers_reachAbout7500Hertz_andAreAtLeast62HertzApart() {
    let centers = SpeechBands.centers
    XCTAssertEqual(centers.count, SpeechBands.count)
    XCTAssertEqual(centers[0], 31.25)
    XCTAssertEqual(centers[15], 968.75)
    for (lower, upper) in zip(centers, centers.dropFirst()) {
      XCTAssertGreaterThanOrEqual(upper - lower, 62.5)
    }
    XCTAssertEqual(centers[38], 7_500, accuracy: 500)
  }

  /// In white noise, the power of a band is proportional to the width of the band. A difference of
  /// 1 between two levels is 24 dB.
  func test_measure_whiteNoise_levelsFollowTheWidthsOfTheBands() {
    let centers = SpeechBands.centers
    let measured = levels(rate: 48_000, power: 1e-6)
    for band in 4..<37 {
      // A band extends between the centres of its two neighbours. The weights of its frequencies
      // form a triangle, so only half of this width counts.
      let width = (centers[band + 1] - centers[band - 1]) / 2
      let expected = log2(width / 8_000) / 8 + 1
      XCTAssertEqual(Double(measured[band]), expected, accuracy: 0.04, "\(centers[band]) Hz")
    }
  }

  /// The levels of the bands are relative to the level of the sound up to 8 kHz. At sample rates
  /// below 16 kHz, the sound ends at half the sample rate. Therefore this sound is softer, and the
  /// relative levels are higher.
  func test_measure_atAnySampleRate_givesTheSameLevels() {
    let wide = levels(rate: 48_000, power: 1e-6)
    var most: Float = 0
    for rate in [8_000.0, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 88_200, 96_000] {
      let measured = levels(rate: rate, power: 1e-6)
      let heard = min(rate / 2, 8_000)
      let offset = Float(log2(8_000 / heard) / 8)
      // The measurement of a band is complete if the centre of the next higher band is within the
      // measured range.
      let bands = (2..<37).filter { SpeechBands.centers[$0 + 1] < heard }
      XCTAssertGreaterThan(bands.count, 20)
      for band in bands {
        most = max(most, abs(measured[band] - offset - wide[band]))
        XCTAssertEqual(
          measured[band] - offset, wide[band], accuracy: 0.06, "band \(band) at \(rate) Hz")
      }
    }
    print("largest difference between the levels at two sample rates: \(24 * most) dB")
  }

  func test_measure_bandsAboveNyquist_areFilledWithAConstant() {
    let measured = levels(rate: 8_000, power: 1e-6)
    for (band, center) in SpeechBands.centers.enumerated() where center > 4_700 {
      XCTAssertEqual(measured[band], -1.5, "\(center) Hz")
    }
    XCTAssertGreaterThan(measured[20], 0)
  }

  func test_measure_loudAndSoftNoise_givesTheSameLevels() {
    for (loud, soft) in zip(levels(rate: 16_000, power: 1e-6), levels(rate: 16_000, power: 1e-9)) {
      XCTAssertEqual(loud, soft, accuracy: 1e-3)
    }
  }

  /// The band levels before and after a change of the power per bin: after one frame of `first`,
  /// and after `frames` further frames of `second`.
  private func levels(from first: Float, to second: Float, frames: Int) -> (
    before: [Float], after: [Float]
  ) {
    var bands = SpeechBands(bins: 257, sampleRate: 16_000)
    let before = measured(&bands, bins: 257, power: first, frames: 1)
    return (before, measured(&bands, bins: 257, power: second, frames: frames))
  }

  /// The input level changes abruptly. Within 25 ms, the running level follows an increase by about
  /// 40 %. It follows a decrease by only 1 %.
  func test_measure_afterALevelStep_runningLevelRisesQuicklyAndFallsSlowly() {
    for (first, second, fraction) in [(Float(1e-9), Float(1e-6), 0.41), (1e-6, 1e-9, 0.01)] {
      let (before, after) = levels(from: first, to: second, frames: 5)
      let step = log2(second / first) / 8
      XCTAssertEqual(after[20] - before[20], step * Float(1 - fraction), accuracy: 0.02)
    }
  }

  /// The input level changes abruptly. If it decreases, the noise floor follows by 41 % within 25
  /// ms. If it increases, the noise floor follows by 45 % only after 0.75 s. At the first frame,
  /// the noise floor equals the level.
  func test_measure_afterALevelStep_noiseFloorFallsQuicklyAndRisesSlowly() {
    for (first, second, frames, fraction) in [
      (Float(1e-7), Float(1e-8), 5, 0.41), (1e-8, 1e-7, 5, 0.02), (1e-8, 1e-7, 150, 0.452),
    ] {
      let (before, after) = levels(from: first, to: second, frames: frames)
      let step = log2(second / first) / 8
      for band in 0..<SpeechBands.count {
        XCTAssertEqual(before[SpeechBands.stride + band], 0)
        XCTAssertEqual(
          after[SpeechBands.stride + band], step * Float(1 - fraction), accuracy: 0.002,
          "band \(band)")
      }
    }
  }

  func test_measure_aVeryLargeStep_levelsStayWithinTheRangeOfTheNetwork() {
    let first = SpeechBands.stride
    XCTAssertEqual(levels(from: 1e-12, to: 1, frames: 1).after[first + 20], 3)
    XCTAssertEqual(levels(from: 1, to: 0, frames: 1).after[first + 20], -1.5)
  }

  func test_interpolate_atAnySampleRate_givesEachFrequencyTheSameGain() {
    var generator = SeededGenerator(seed: 88)
    let centers = SpeechBands.centers
    var gains = (0..<SpeechBands.stride).map { _ in Float.random(in: 0...1, using: &generator) }
    for rate in [8_000.0, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000] {
      let frames = ShortTimeFrames(sampleRate: rate)
      let bands = SpeechBands(bins: frames.bins, sampleRate: rate)
      var spread = [Float](repeating: 0, count: frames.stride)
      gains.withUnsafeMutableBufferPointer { gains in
        spread.withUnsafeMutableBufferPointer { spread in
          let (from, to) = (gains.row, spread.row)
          bands.interpolation.interpolate(from, to: to)
        }
      }
      for bin in 0..<frames.bins {
        let frequency = Double(bin) * rate / Double(2 * (frames.bins - 1))
        // Above the centre of the last band, the gain is the gain of the last band.
        var expected = gains[centers.count - 1]
        if let upper = centers.firstIndex(where: { $0 > frequency }) {
          let lower = max(0, upper - 1)
          let distance = max(1, centers[upper] - centers[lower])
          let part = Float(min(max((frequency - centers[lower]) / distance, 0), 1))
          expected = upper == 0 ? gains[0] : gains[lower] + part * (gains[upper] - gains[lower])
        }
        XCTAssertEqual(spread[bin], expected, accuracy: 1e-4, "\(frequency) Hz at \(rate) Hz")
      }
    }
  }

  func test_interpolate_gains_areLinearBetweenBands_andAtLeastTheMinimum() {
    let bands = SpeechBands(bins: 513, sampleRate: 48_000)
    var gains = (0..<SpeechBands.stride).map { Float($0) / 40 }
    var spread = [Float](repeating: 0, count: 516)
    gains.withUnsafeMutableBufferPointer { gains in
      spread.withUnsafeMutableBufferPointer { spread in
        let (from, to) = (gains.row, spread.row)
        bands.interpolation.interpolate(from, to: to, minimum: 0.1)
      }
    }
    XCTAssertEqual(spread[0], 0.1)
    // Bin 20 is at 937.5 Hz. This is half-way between the centres of bands 14 and 15.
    XCTAssertEqual(spread[20], 14.5 / 40, accuracy: 1e-5)
    // Above the centre of the last band, the gain is the gain of the last band.
    XCTAssertEqual(spread[512], 38.0 / 40, accuracy: 1e-5)
    for bin in 1..<512 { XCTAssertGreaterThanOrEqual(spread[bin], spread[bin - 1]) }
  }
}
