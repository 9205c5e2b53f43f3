import Foundation
import SignalTestSupport
import XCTest

@testable import HearingAudio

final class ThirdOctaveSpectrumTests: XCTestCase {
  private func tones(
    _ tones: [(frequency: Double, rms: Double)], rate: Double, seconds: Double
  ) -> [Float] {
    var sum = [Double](repeating: 0, count: Int(rate * seconds))
    for (number, tone) in tones.enumerated() {
      let step = 2 * Double.pi * tone.frequency / rate
      // The phases are spread evenly, so that the sum of the tones has no high peak.
      let phase = 2.4 * Double(number)
      let amplitude = tone.rms * 2.0.squareRoot()
      for frame in sum.indices { sum[frame] += amplitude * sin(step * Double(frame) + phase) }
    }
    return sum.map { Float($0) }
  }

  private func spectrum(_ channels: [[Float]], rate: Double) -> ThirdOctaveSpectrum {
    var spectrum = ThirdOctaveSpectrum(sampleRate: rate, channelCount: channels.count)
    spectrum.add(AudioBlock(channels))
    return spectrum
  }

  func test_standardBands_haveTheNominalCentresAndEdgesOfTheStandard() throws {
    let bands = ThirdOctaveSpectrum.Band.standard
    XCTAssertEqual(bands.count, 30)
    for band in bands {
      let center = (band.lowerEdge * band.upperEdge).squareRoot()
      XCTAssertEqual(center / band.nominalFrequency, 1, accuracy: 0.013)
      XCTAssertEqual(band.upperEdge / band.lowerEdge, pow(10, 0.1), accuracy: 1e-12)
    }
    for (band, next) in zip(bands, bands.dropFirst()) {
      XCTAssertEqual(band.upperEdge, next.lowerEdge, accuracy: 1e-9 * band.upperEdge)
    }
    let thousand = try XCTUnwrap(bands.first { $0.nominalFrequency == 1000 })
    XCTAssertEqual(thousand.lowerEdge, 891.25, accuracy: 0.01)
    XCTAssertEqual(thousand.upperEdge, 1122.02, accuracy: 0.01)
    XCTAssertEqual(
      ThirdOctaveSpectrum(sampleRate: 16_000, channelCount: 1).bands.last?.nominalFrequency, 6300)
  }

  func test_levels_ofATone_showItsLevelInItsBandOnly() {
    for (rate, frequency) in [(8_000.0, 63.0), (8_000, 250), (16_000, 3_150), (48_000, 1_000)] {
      let tone = tones([(frequency, 0.1)], rate: rate, seconds: 1)
      let spectrum = spectrum([tone], rate: rate)
      for (band, level) in zip(spectrum.bands, spectrum.levels(channel: 0)) {
        if band.nominalFrequency == frequency {
          XCTAssertEqual(level, -20, accuracy: 0.1, "\(frequency) Hz at \(rate) Hz")
        } else {
          // The lowest bands are narrow. A transform over 0.5 s cannot separate them as well as the
          // others.
          let limit = frequency < 1_000 ? -40.0 : -50
          XCTAssertLessThan(level, limit, "\(frequency) Hz in \(band.nominalFrequency) Hz")
        }
      }
    }
  }

  func test_levels_ofAPinkSpectrum_areEqualInAllBands() {
    // Every band contains eight tones of equal power. No tone is at the edge of a band.
    let pink = tones(
      (0..<8 * 18).map { (index: Int) -> (Double, Double) in
        (pow(10, 1.95 + (Double(index) + 0.5) / 80), 0.01)
      }, rate: 16_000, seconds: 1.5)
    let spectrum = spectrum([pink], rate: 16_000)
    let inside = zip(spectrum.bands, spectrum.levels(channel: 0)).filter {
      (125...4_000).contains($0.0.nominalFrequency)
    }
    XCTAssertEqual(inside.count, 16)
    for (band, level) in inside {
      XCTAssertEqual(
        level, -40 + 10 * log10(8), accuracy: 0.2, "\(band.nominalFrequency) Hz")
    }
  }

  func test_whiteNoise_hasPowerInProportionToTheWidthOfEachBand() {
    let rate = 16_000.0
    let noise = Signals.noise(count: 80_000, amplitude: 1, seed: 5)
    let spectrum = spectrum([noise], rate: rate)
    let density = 10 * log10(1.0 / 3 / (rate / 2))
    for (band, level) in zip(spectrum.bands, spectrum.levels(channel: 0)) {
      let width = band.upperEdge - band.lowerEdge
      // The measured level of a noise varies more if the band is narrower. In five seconds of
      // noise, a band of 200 Hz has 2000 degrees of freedom. The test skips narrower bands.
      guard width > 200 else { continue }
      XCTAssertEqual(
        level, density + 10 * log10(width), accuracy: 0.5, "\(band.nominalFrequency) Hz")
    }
  }

  func test_bandPowers_addUpToTheTotalPower_forAnyLength() {
    for count in [100, 5_000, 30_000] {
      let burst = (0..<count).map { Float(0.5 * sin(2 * .pi * 0.021 * Double($0))) }
      let spectrum = spectrum([burst], rate: 48_000)
      let sum = spectrum.levels(channel: 0).reduce(0) { $0 + pow(10, $1 / 10) }
      XCTAssertEqual(
        10 * log10(sum / Signals.power(burst)), 0, accuracy: count < 1000 ? 0.3 : 0.01, "\(count)")
    }
  }

  func test_levels_dependNeitherOnBlockSizeNorOnOtherChannels() {
    let left = Signals.noise(count: 12_000, amplitude: 1, seed: 6)
    let right = left.reversed().map { $0 / 4 }
    let third = tones([(1_000, 0.3)], rate: 16_000, seconds: 12_000 / 16_000)
    let whole = spectrum([left, right, third], rate: 16_000)
    var parts = ThirdOctaveSpectrum(sampleRate: 16_000, channelCount: 3)
    var start = 0
    for count in [1, 7, 4_000, 0, 6_000, 1_992] {
      let range = start..<start + count
      parts.add(AudioBlock([left, right, third].map { Array($0[range]) }))
      start += count
    }
    XCTAssertEqual(parts.frameCount, 12_000)
    for (channel, samples) in [left, right, third].enumerated() {
      XCTAssertEqual(parts.levels(channel: channel), whole.levels(channel: channel))
      let alone = spectrum([samples], rate: 16_000).levels(channel: 0)
      for (level, other) in zip(alone, whole.levels(channel: channel)) where other > -100 {
        XCTAssertEqual(level, other, accuracy: 1e-6)
      }
    }
  }

  func test_levels_inACustomBand_areMeasuredAroundItsCentre() {
    let tone = tones([(750, 0.1)], rate: 16_000, seconds: 1)
    let levels = spectrum([tone], rate: 16_000).levels(
      in: [750, 1_500, 9_000].map { ThirdOctaveSpectrum.Band(around: $0) }, channel: 0)
    XCTAssertEqual(levels[0], -20, accuracy: 0.05)
    XCTAssertLessThan(levels[1], -60)
    XCTAssertEqual(levels[2], -.infinity)
  }

  func test_levels_ofSilence_areMinusInfinity_andNonFiniteSamplesCountAsSilence() {
    let nothing = ThirdOctaveSpectrum(sampleRate: 8_000, channelCount: 1)
    XCTAssertTrue(nothing.levels(channel: 0).allSatisfy { $0 == -.infinity })
    let silence = spectrum([[Float](repeating: 0, count: 9_000)], rate: 8_000)
    XCTAssertTrue(silence.levels(channel: 0).allSatisfy { $0 == -.infinity })
    let tone = tones([(1_000, 0.1)], rate: 8_000, seconds: 1)
    let broken = tone + [.nan, .infinity, -.infinity]
    let levels = spectrum([broken], rate: 8_000).levels(channel: 0)
    let expected = spectrum([tone + [0, 0, 0]], rate: 8_000).levels(channel: 0)
    XCTAssertEqual(levels, expected)
  }
}
