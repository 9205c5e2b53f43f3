import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

final class BandGainProcessorSettingsTests: XCTestCase {
  private let gains = [0.1, 9.1, 14.1, 19.65, 21.2, 20.75, 21.3, 22.85, 24.4, 24.4]

  private func processor(channels: Int = 2) throws -> BandGainProcessor {
    try BandGainProcessor(spec: ProcessingSpec(sampleRate: 48_000, channelCount: channels))
  }

  private func failure(
    _ rate: Double, _ channels: Int, _ layout: BandLayout = .audiometric
  ) -> BandGainProcessorError? {
    do throws(BandGainProcessorError) {
      _ = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: rate, channelCount: channels), layout: layout)
      return nil
    } catch {
      return error
    }
  }

  func test_init_invalidSpec_failsWithTheValue() throws {
    XCTAssertEqual(failure(7_999, 2), .sampleRateOutOfRange(7_999))
    XCTAssertEqual(failure(192_001, 2), .sampleRateOutOfRange(192_001))
    XCTAssertEqual(failure(-48_000, 2), .sampleRateOutOfRange(-48_000))
    XCTAssertEqual(failure(.infinity, 2), .sampleRateOutOfRange(.infinity))
    XCTAssertNotNil(failure(.nan, 2))
    XCTAssertEqual(failure(48_000, 0), .channelCountOutOfRange(0))
    XCTAssertEqual(failure(48_000, 9), .channelCountOutOfRange(9))
    XCTAssertEqual(
      failure(16_000, 2), .centerNotCarried(band: 9, frequency: 8_000, limit: 7_200))
    XCTAssertEqual(
      failure(20_000, 1, try BandLayout(centers: [100, 9_000])),
      .centerNotCarried(band: 1, frequency: 9_000, limit: 9_000))
    for rate in [8_000.0, 192_000] {
      for channels in [1, 8] {
        XCTAssertNil(failure(rate, channels, try BandLayout(centers: [500])))
      }
    }
  }

  /// Settings with one invalid value, and the expected error. The expected error is nil if it would
  /// contain NaN, because NaN is not equal to NaN.
  private func wrongSettings() throws -> [(ProcessorSettings, BandGainProcessorError?)] {
    let good = ProcessorSettings(gains: [gains, gains])
    func changed(_ change: (inout ProcessorSettings) -> Void) -> ProcessorSettings {
      var settings = good
      change(&settings)
      return settings
    }
    let tooLoud = try BandCurve(points: [
      .init(level: 40, gain: 81), .init(level: 90, gain: 0),
    ])
    return [
      (
        ProcessorSettings(gains: [gains]), .channelCountMismatch(expected: 2, actual: 1)
      ),
      (ProcessorSettings(gains: []), .channelCountMismatch(expected: 2, actual: 0)),
      (
        ProcessorSettings(gains: [gains, Array(gains.prefix(9))]),
        .bandCountMismatch(channel: 1, expected: 10, actual: 9)
      ),
      (
        changed { $0.outputCeilings = [100] }, .ceilingCountMismatch(expected: 2, actual: 1)
      ),
      (
        changed { $0.curves[1][3] = .gain(80.5) },
        .gainOutOfRange(channel: 1, band: 3, gain: 80.5)
      ),
      (changed { $0.curves[0][0] = .gain(.nan) }, nil),
      (
        changed { $0.curves[0][9] = .gain(-.infinity) },
        .gainOutOfRange(channel: 0, band: 9, gain: -.infinity)
      ),
      (
        changed { $0.curves[1][2] = tooLoud },
        .gainOutOfRange(channel: 1, band: 2, gain: 81)
      ),
      (
        changed { $0.outputCeilings[1] = 201 }, .ceilingOutOfRange(channel: 1, level: 201)
      ),
      (changed { $0.outputCeilings[0] = .nan }, nil),
      (changed { $0.intensity = 1.01 }, .intensityOutOfRange(1.01)),
      (changed { $0.intensity = -0.01 }, .intensityOutOfRange(-0.01)),
      (changed { $0.intensity = .nan }, nil),
      (changed { $0.channelLinking = 2 }, .channelLinkingOutOfRange(2)),
      (changed { $0.calibration.fullScaleSPL = 300 }, .fullScaleOutOfRange(300)),
      (changed { $0.calibration.fullScaleSPL = -.infinity }, .fullScaleOutOfRange(-.infinity)),
    ]
  }

  func test_apply_invalidSettings_failsAndKeepsTheOldSettings() throws {
    var generator = SeededGenerator(seed: 9)
    let noise = Signals.noise(count: 2_000, amplitude: 0.01, using: &generator)
    let untouched = try processor()
    let tried = try processor()
    for processor in [untouched, tried] {
      try processor.apply(ProcessorSettings(gains: [gains, gains.reversed()]))
    }
    let expected = untouched.rendered([noise, noise])
    for (settings, expectedFailure) in try wrongSettings() {
      XCTAssertThrowsError(try tried.validate(settings))
      do throws(BandGainProcessorError) {
        try tried.apply(settings)
        XCTFail("accepted \(settings)")
      } catch {
        if let expectedFailure { XCTAssertEqual(error, expectedFailure) }
        XCTAssertFalse(error.description.contains("\n"))
      }
    }
    XCTAssertEqual(tried.settingsPublished, 1)
    let output = tried.rendered([noise, noise])
    for channel in 0..<2 {
      XCTAssertEqual(Signals.bits(output[channel]), Signals.bits(expected[channel]))
    }
  }

  func test_apply_curveWithEqualGainsAtAllLevels_givesThatGain() throws {
    let processor = try processor(channels: 1)
    let level = try BandCurve(points: [
      .init(level: 40, gain: 10), .init(level: 90, gain: 10),
    ])
    try processor.apply(
      ProcessorSettings(
        curves: [Array(repeating: level, count: 10)], outputCeiling: 130,
        allowsOutputAboveFullScale: true))
    XCTAssertEqual(processor.response(at: 1_000, channel: 0), 10, accuracy: 0.01)
  }

  func test_settingsInForce_changesWhenTheSettingsAreRendered() throws {
    let processor = try processor(channels: 1)
    XCTAssertEqual(processor.settingsPublished, 0)
    try processor.apply(ProcessorSettings(gains: [gains]))
    XCTAssertEqual(processor.settingsPublished, 1)
    XCTAssertEqual(processor.settingsInForce, 0)
    _ = processor.rendered([Signals.silence(5)])
    XCTAssertEqual(processor.settingsInForce, 1)
    try processor.apply(ProcessorSettings(gains: [gains], intensity: 0.5))
    try processor.apply(ProcessorSettings(gains: [gains], intensity: 0.6))
    // After two more frames, the current sub-block has not ended yet.
    _ = processor.rendered([Signals.silence(2)])
    XCTAssertEqual(processor.settingsInForce, 1)
    _ = processor.rendered([Signals.silence(32)])
    XCTAssertEqual(processor.settingsInForce, 3)
    XCTAssertEqual(processor.settingsPublished, 3)
  }
}
