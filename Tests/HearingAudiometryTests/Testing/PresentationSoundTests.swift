import Foundation
import HearingAudiometry
import HearingFitting
import SignalTestSupport
import XCTest

/// Measures the sound of presentations: level, spectrum and timing.
final class PresentationSoundTests: XCTestCase {
  private let calibration = HeadphoneCalibration.uncalibrated(fullScaleLevel: 110)

  private func sound(
    _ presentation: Presentation, at sampleRate: Double = 48_000
  ) throws -> PresentationSound {
    try PresentationSound(presentation, calibration: calibration, sampleRate: sampleRate)
  }

  private func plateau(_ sound: PresentationSound, _ sampleRate: Double) -> ArraySlice<Float> {
    let start = sound.onset + Int(0.06 * sampleRate)
    return sound[.left][start..<start + Int(0.15 * sampleRate)]
  }

  func test_levels_areAccurateToATenthOfADecibel_atEveryFrequencyAndRate() throws {
    for sampleRate in [22_050.0, 48_000, 96_000] {
      for point in calibration.points {
        let level = 42.0
        let sound = try sound(
          Presentation(ear: .left, frequency: point.frequency, level: level), at: sampleRate)
        let found = Signals.tone(
          point.frequency, in: plateau(sound, sampleRate), rate: sampleRate)
        let expected = level + point.referenceThreshold - 110
        XCTAssertEqual(20 * log10(found), expected, accuracy: 0.1, "\(point.frequency) Hz")
        XCTAssertTrue(sound[.right].allSatisfy { $0 == 0 })
      }
    }
  }

  func test_maskingNoiseAboveFullScale_isRejected() throws {
    let calibration = try HeadphoneCalibration(
      name: "X", referenceThresholds: .hda200, fullScaleLevels: [1000: 90.5],
      interauralAttenuation: 20)
    for (level, fits) in [(85.0, false), (75, false), (60, true)] {
      let tone = Presentation(ear: .left, frequency: 1000, level: 85, maskingLevel: level)
      do {
        let sound = try PresentationSound(tone, calibration: calibration, sampleRate: 48_000)
        XCTAssertTrue(fits, "\(level)")
        XCTAssertLessThanOrEqual(try XCTUnwrap(sound[.right].map(abs).max()), 1)
      } catch HearingTestError.unsafeLevel(let refused, let frequency, let limit) {
        XCTAssertFalse(fits, "\(level)")
        XCTAssertEqual(refused, level)
        XCTAssertEqual(frequency, 1000)
        let quieter = Presentation(ear: .left, frequency: 1000, level: 85, maskingLevel: limit)
        XCTAssertNoThrow(
          try PresentationSound(quieter, calibration: calibration, sampleRate: 48_000))
      }
    }
  }

  func test_invalidResponseTail_isRejected() throws {
    for tail in [1e300, .infinity, -5, 1e9] {
      XCTAssertThrowsError(
        try sound(Presentation(ear: .left, frequency: 1000, level: 40, responseTail: tail))
      ) { XCTAssertEqual($0 as? HearingTestError, .responseTail(tail)) }
    }
    XCTAssertThrowsError(
      try sound(Presentation(ear: .left, frequency: 1000, level: 40, responseTail: .nan)))
  }

  func test_toneSpectrum_hasNoOtherComponentAboveMinus60dB() throws {
    for frequency in [250.0, 4000] {
      for tone in [ToneShape.steady, .pulsed] {
        let sound = try sound(
          Presentation(ear: .left, frequency: frequency, level: 40, tone: tone, wait: 0))
        let samples = sound[.left].prefix(60_000)
        let carrier = Signals.tone(frequency, in: samples, rate: 48_000)
        // At the other frequencies, the sound contains harmonics, and the spectral spread of the
        // ramps.
        for other in [0.25, 0.4, 0.5, 1.6, 2, 3, 4, 5] where other * frequency < 24_000 {
          let ratio = Signals.tone(other * frequency, in: samples, rate: 48_000) / carrier
          XCTAssertLessThan(20 * log10(ratio), -60, "\(other) × \(frequency) Hz")
        }
      }
    }
  }

  func test_warbleTone_modulatesItsFrequencyBy5Percent_fiveTimesASecond_atTheSameLevel() throws {
    let rate = 48_000.0
    func samples(_ tone: ToneShape) throws -> ArraySlice<Float> {
      let sound = try sound(
        Presentation(ear: .left, frequency: 1000, level: 40, tone: tone, wait: 0), at: rate)
      return sound[.left][3_000..<54_600]  // a whole number of warble periods
    }
    let warbled = try samples(.warbled)
    XCTAssertEqual(
      Signals.rmsLevel(warbled), Signals.rmsLevel(try samples(.steady)), accuracy: 0.01)
    // Each frequency is computed from the time between two rising zero crossings.
    let crossings = warbled.indices.dropFirst().filter { warbled[$0 - 1] < 0 && warbled[$0] >= 0 }
      .map { index in
        Double(index) - Double(warbled[index] / (warbled[index] - warbled[index - 1]))
      }
    let frequencies = zip(crossings, crossings.dropFirst()).map { rate / ($1 - $0) }
    XCTAssertEqual(try XCTUnwrap(frequencies.max()), 1050, accuracy: 1)
    XCTAssertEqual(try XCTUnwrap(frequencies.min()), 950, accuracy: 1)
    let ups = zip(frequencies, frequencies.dropFirst()).filter { $0 < 1000 && $1 >= 1000 }.count
    XCTAssertEqual(Double(ups) / (Double(warbled.count) / rate), 5, accuracy: 1)
  }

  func test_rampTimes_are20To50Milliseconds() throws {
    let sampleRate = 96_000.0
    let sound = try sound(
      Presentation(ear: .left, frequency: 8000, level: 40, tone: .pulsed, wait: 0),
      at: sampleRate)
    let samples = sound[.left].map { abs(Double($0)) }
    // The envelope is the maximum of the samples in each millisecond.
    let envelope = stride(from: 0, to: samples.count - 96, by: 96).map { start in
      samples[start..<start + 96].max() ?? 0
    }
    let peak = envelope.max() ?? 0
    let above = { (ratio: Double) in envelope.map { $0 >= peak * pow(10, ratio / 20) } }
    let (low, high, middle) = (above(-20), above(-1), above(-5))
    let rise = Double((high.firstIndex(of: true) ?? 0) - (low.firstIndex(of: true) ?? 0))
    XCTAssertTrue((20...50).contains(rise), "\(rise) ms")
    // Pulses and pauses alternate. The limit between a pulse and a pause is 5 dB below the peak.
    var lengths: [Int] = []
    for (index, isOn) in middle.enumerated() {
      if index == 0 || middle[index - 1] != isOn { lengths.append(0) }
      lengths[lengths.count - 1] += 1
    }
    XCTAssertEqual(lengths.count, 7)
    for length in lengths.dropFirst().dropLast() {
      XCTAssertEqual(Double(length), 225, accuracy: 5)
    }
    let plateau = high.prefix(while: { !$0 }).count
    XCTAssertGreaterThanOrEqual(high[plateau...].prefix(while: { $0 }).count, 150)
  }

  func test_presentationWithoutATone_isSilent_andAsLongAsAPresentationWithATone() throws {
    let silent = try sound(
      Presentation(ear: .left, frequency: 1000, level: 40, isSilent: true, wait: 1.5))
    let tone = try sound(Presentation(ear: .left, frequency: 1000, level: 40, wait: 1.5))
    XCTAssertTrue(silent.interleaved.allSatisfy { $0 == 0 })
    XCTAssertEqual(silent.count, tone.count)
    XCTAssertTrue(tone[.left].prefix(tone.onset).allSatisfy { $0 == 0 })
    XCTAssertEqual(tone.onset, 72_000)
  }

  func test_maskingNoise_isAThirdOctaveBandAtTheRequestedLevel_inTheOtherEar() throws {
    let sound = try sound(
      Presentation(
        ear: .left, frequency: 1000, level: 75, maskingLevel: 45, wait: 1.5))
    let noise = sound[.right].dropFirst(9_600).dropLast(9_600)
    // The noise level is 45 dB HL. ISO 389-4 adds 6 dB for narrow-band noise, and 0 dB HL
    // corresponds to 5.5 dB SPL. A sine at full scale has 110 dB SPL.
    XCTAssertEqual(10 * log10(2 * Signals.power(noise)), 45 + 6 + 5.5 - 110, accuracy: 0.1)
    let inside =
      stride(from: 900.0, through: 1110, by: 10).map {
        Signals.tone($0, in: noise, rate: 48_000)
      }.max() ?? 0
    for frequency in [500.0, 700, 800, 1250, 1500, 2000] {
      let ratio = Signals.tone(frequency, in: noise, rate: 48_000) / inside
      XCTAssertLessThan(20 * log10(ratio), -60, "\(frequency) Hz")
    }
  }

  func test_interleaved24_hasTheRequestedLevel_withoutHarmonics() throws {
    let sound = try sound(Presentation(ear: .left, frequency: 1000, level: 20, tone: .steady))
    let bytes = sound.interleaved24
    XCTAssertEqual(bytes.count, sound.count * 6)
    let left = stride(from: 0, to: bytes.count, by: 6).map { index -> Float in
      let value = Int32(bytes[index]) | Int32(bytes[index + 1]) << 8 | Int32(bytes[index + 2]) << 16
      return Float((value << 8) >> 8) / 8_388_608
    }
    let start = sound.onset + 4_800
    let steady = left[start..<start + 48_000]
    let found = Signals.tone(1000, in: steady, rate: 48_000)
    XCTAssertEqual(20 * log10(found), 20 + 5.5 - 110, accuracy: 0.1)
    for overtone in [2000.0, 3000, 5000] {
      let ratio = Signals.tone(overtone, in: steady, rate: 48_000) / found
      XCTAssertLessThan(20 * log10(ratio), -60)
    }
  }

  func test_unsafePresentation_throwsATypedError() {
    func error(_ presentation: Presentation, rate: Double = 48_000) -> HearingTestError? {
      do {
        _ = try PresentationSound(presentation, calibration: calibration, sampleRate: rate)
        return nil
      } catch {
        return error
      }
    }
    XCTAssertEqual(
      error(Presentation(ear: .left, frequency: 1000, level: 86)),
      .unsafeLevel(86, frequency: 1000, limit: 85))
    XCTAssertEqual(
      error(
        Presentation(ear: .left, frequency: 1000, level: 40, maskingLevel: 90)),
      .unsafeLevel(90, frequency: 1000, limit: 85))
    XCTAssertNotNil(error(Presentation(ear: .left, frequency: 1000, level: .nan)))
    XCTAssertEqual(
      error(Presentation(ear: .left, frequency: 1100, level: 40)), .unknownFrequency(1100))
    XCTAssertEqual(
      error(Presentation(ear: .left, frequency: 8000, level: 40), rate: 16_000),
      .sampleRate(16_000))
  }

  func test_invalidWait_countsAsZero_andInfiniteWaitAsOneMinute() throws {
    for (wait, onset) in [(Double.nan, 0), (-1, 0), (-.infinity, 0), (.infinity, 480_000)] {
      let sound = try PresentationSound(
        Presentation(ear: .left, frequency: 1000, level: 30, isSilent: true, wait: wait),
        calibration: calibration, sampleRate: 8_000)
      XCTAssertEqual(sound.onset, onset)
    }
  }
}
