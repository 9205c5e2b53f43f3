import Foundation
import HearingAudio
import HearingDSP
import SignalTestSupport
import XCTest

final class BandLevelMeterTests: XCTestCase {
  private let rate = 16_000.0

  private func meter(_ calibration: Calibration = Calibration()) throws -> BandLevelMeter {
    try BandLevelMeter(
      spec: ProcessingSpec(sampleRate: rate, channelCount: 1),
      layout: XCTUnwrap(BandLayout.audiometric.limited(to: rate)), calibration: calibration)
  }

  func test_add_tone_measuresItsLevelInItsBand() throws {
    let calibration = Calibration(fullScaleSPL: 110)
    let meter = try meter(calibration)
    let amplitude = calibration.peakAmplitude(ofSineAt: 70)
    let tone = AudioBlock([Signals.tone(1_000, amplitude: amplitude, rate: rate, seconds: 0.5)])
    meter.add(tone.channels, frameCount: tone.frameCount)
    let band = try XCTUnwrap(meter.layout.centers.firstIndex(of: 1_000))
    XCTAssertEqual(meter.levels[0][band], 70, accuracy: 0.2)
    XCTAssertLessThan(meter.levels[0][band + 2], 60)
  }

  func test_add_twoChannels_measuresEachChannel() throws {
    let meter = try BandLevelMeter(
      spec: ProcessingSpec(sampleRate: rate, channelCount: 2),
      layout: BandLayout(centers: [500, 1_000, 2_000]))
    let tones = AudioBlock([
      Signals.tone(500, level: 60, rate: rate, seconds: 0.5),
      Signals.tone(2_000, level: 75, rate: rate, seconds: 0.5),
    ])
    meter.add(tones.channels, frameCount: tones.frameCount)
    XCTAssertEqual(meter.levels[0][0], 60, accuracy: 0.2)
    XCTAssertLessThan(meter.levels[0][2], 45)
    XCTAssertEqual(meter.levels[1][2], 75, accuracy: 0.2)
    XCTAssertLessThan(meter.levels[1][0], 60)
  }

  func test_add_leavesTheSoundUnchanged() throws {
    let tone = AudioBlock([Signals.tone(500, amplitude: 3, rate: rate, seconds: 0.05)])
    let samples = tone.samples
    try meter().add(tone.channels, frameCount: tone.frameCount)
    XCTAssertEqual(tone.samples, samples)
  }

  func test_levels_ofSilence_are200DecibelsBelowFullScale() throws {
    let meter = try meter()
    XCTAssertEqual(meter.levels, [Array(repeating: -100, count: 10)])
    let silence = AudioBlock(channelCount: 1, capacity: 10_000)
    meter.add(silence.channels, frameCount: 10_000)
    for level in meter.levels[0] { XCTAssertEqual(level, -100, accuracy: 0.01) }
  }

  /// The level of the input changes abruptly. After that, the difference in dB between the measured
  /// level and the new level decreases by the factor e per time constant.
  func test_attackAndReleaseTime_areTheTimeConstantsOfRisingAndFallingLevels() throws {
    let layout = try BandLayout(centers: [500, 1_000, 2_000])
    let spec = ProcessingSpec(sampleRate: rate, channelCount: 1)
    let cases = [
      (meter: try BandLevelMeter(spec: spec, layout: layout), attack: 0.005, release: 0.1),
      (
        try BandLevelMeter(spec: spec, layout: layout, attackTime: 0.4, releaseTime: 0.2), 0.4, 0.2
      ),
      (
        try BandLevelMeter(spec: spec, layout: layout, attackTime: 0.05, releaseTime: 0.5), 0.05,
        0.5
      ),
    ]
    for (meter, attack, release) in cases {
      func add(level: Double, seconds: Double) {
        let tone = AudioBlock([Signals.tone(1_000, level: level, rate: rate, seconds: seconds)])
        meter.add(tone.channels, frameCount: tone.frameCount)
      }
      for (start, end, time) in [(40.0, 80.0, attack), (80, 40, release)] {
        add(level: start, seconds: 4)
        XCTAssertEqual(meter.levels[0][1], start, accuracy: 0.2)
        // The detector follows an abrupt change of the level only after a few milliseconds.
        add(level: end, seconds: 0.02)
        let early = meter.levels[0][1] - end
        XCTAssertEqual(
          early, (start - end) * exp(-0.02 / time), accuracy: 2.5, "\(start) dB, \(time) s")
        guard time > 0.01 else { continue }
        add(level: end, seconds: time)
        let late = meter.levels[0][1] - end
        XCTAssertEqual(early / late, M_E, accuracy: 0.05, "\(start) dB, \(time) s")
      }
    }
  }

  func test_releaseTime_longer_letsTheLevelFallMoreSlowly() throws {
    let spec = ProcessingSpec(sampleRate: rate, channelCount: 1)
    let slow = try BandLevelMeter(
      spec: spec, layout: BandLayout(centers: [500, 1_000, 2_000]), releaseTime: 1)
    let fast = try BandLevelMeter(
      spec: spec, layout: BandLayout(centers: [500, 1_000, 2_000]), releaseTime: 0.02)
    let tone = AudioBlock([Signals.tone(1_000, rate: rate, seconds: 0.2)])
    let silence = AudioBlock(channelCount: 1, capacity: Int(rate * 0.1))
    for meter in [slow, fast] {
      meter.add(tone.channels, frameCount: tone.frameCount)
      meter.add(silence.channels, frameCount: silence.capacity)
    }
    XCTAssertGreaterThan(slow.levels[0][1], fast.levels[0][1] + 20)
  }
}
