import Foundation
import HearingAudio
import SignalTestSupport
import XCTest

final class LevelMeterTests: XCTestCase {
  func test_add_sine_measuresItsRMSAndPeak() {
    let sine = Signals.sine(1000, rate: 48_000, count: 48_000, amplitude: 1)
    let block = AudioBlock([sine, sine.map { $0 / 2 }])
    var meter = LevelMeter(channelCount: 2)
    meter.add(block)
    XCTAssertEqual(meter.readings[0].rmsDecibels, -3.0103, accuracy: 1e-4)
    XCTAssertEqual(meter.readings[0].peakDecibels, 0, accuracy: 1e-4)
    XCTAssertEqual(meter.readings[1].rmsDecibels, -9.0309, accuracy: 1e-4)
    XCTAssertEqual(meter.readings[1].peak, 0.5, accuracy: 1e-6)
    XCTAssertEqual(meter.rms, (0.5 * (0.5 + 0.125)).squareRoot(), accuracy: 1e-6)
  }

  func test_add_inParts_givesTheSameReadingsAsOneCall() {
    let noise = Signals.noise(count: 1000, amplitude: 1, seed: 3)
    var whole = LevelMeter(channelCount: 1)
    var parts = LevelMeter(channelCount: 1)
    whole.add(AudioBlock([noise]))
    for start in stride(from: 0, to: 1000, by: 100) {
      let block = AudioBlock([Array(noise[start..<start + 100])])
      parts.add(block)
    }
    XCTAssertEqual(parts.frameCount, 1000)
    XCTAssertEqual(parts.readings[0].rms, whole.readings[0].rms, accuracy: 1e-12)
    XCTAssertEqual(parts.readings[0].peak, whole.readings[0].peak)
  }

  func test_levels_ofSilenceAndEmptyInput_areMinusInfinity() {
    var meter = LevelMeter(channelCount: 1)
    XCTAssertEqual(meter.readings[0].rmsDecibels, -.infinity)
    meter.add(AudioBlock([[Float](repeating: 0, count: 10)]))
    XCTAssertEqual(meter.readings[0].rmsDecibels, -.infinity)
    XCTAssertEqual(meter.readings[0].peakDecibels, -.infinity)
  }

  func test_add_nonFiniteSamples_areExcludedAndCounted() {
    let block = AudioBlock([[.nan, 0.5, .infinity, -0.5, -.infinity]])
    var meter = LevelMeter(channelCount: 1)
    meter.add(block)
    XCTAssertEqual(meter.nonFiniteSampleCount, 3)
    XCTAssertEqual(meter.readings[0].peak, 0.5)
    XCTAssertEqual(meter.readings[0].rms, 0.1.squareRoot(), accuracy: 1e-9)
  }
}
