import Foundation
import HearingAudio
import HearingDSP
import HearingFitting
import SignalTestSupport
import XCTest

final class ProcessorSettingsPresetTests: XCTestCase {
  func test_init_givesEachBandTheGainAtItsCentre_andEachChannelTheMaximumOutputOfItsEar() throws {
    let preset = Preset(
      left: try EarPreset(frequencies: [250, 4_000], gains: [0, 40], maximumOutput: 100),
      right: nil)
    let layout = try BandLayout(centers: [250, 1_000, 4_000])
    let settings = try ProcessorSettings(
      preset: preset, layout: layout, ears: [.left, .right, nil])
    // Gains are interpolated linearly over the logarithm of the frequency. On this scale, 1 kHz is
    // half-way between 250 Hz and 4 kHz.
    XCTAssertEqual(settings.curves[0].map { $0.gain(at: 65) }, [0, 20, 40])
    XCTAssertEqual(settings.curves[1].map { $0.gain(at: 65) }, [0, 0, 0])
    XCTAssertEqual(settings.curves[2].map { $0.gain(at: 65) }, [0, 0, 0])
    XCTAssertEqual(settings.outputCeilings, [100, 105, 105])
  }

  func test_init_keepsLevelDependentCurvesWithAttackAndReleaseTimes() throws {
    let ear = try EarPreset(
      frequencies: [1_000], inputLevels: [40, 80], gains: [[20, 0]], attackTimes: [0.002],
      releaseTimes: [0.2])
    let settings = try ProcessorSettings(
      preset: Preset(left: ear, right: ear), layout: try BandLayout(centers: [1_000]),
      ears: [.left, .right])
    let curve = settings.curves[1][0]
    XCTAssertEqual([20, 40, 60, 80, 100].map { curve.gain(at: $0) }, [20, 20, 10, 0, 0])
    XCTAssertEqual(curve.attackTime, 0.002)
    XCTAssertEqual(curve.releaseTime, 0.2)
  }

  func test_init_maximumOutputOfTheFirstBand_isTheLowestMaximumOutputUpToItsCentre() throws {
    func outputs(_ maximumOutputs: [Double]) throws -> [Double?] {
      let ear = try EarPreset(
        frequencies: [125, 250, 1_000], inputLevels: [40, 80],
        gains: [[20, 0], [20, 0], [20, 0]], maximumOutput: 110, maximumOutputs: maximumOutputs)
      return try ProcessorSettings(
        preset: Preset(left: ear, right: nil), layout: try BandLayout(centers: [250, 1_000]),
        ears: [.left]
      ).curves[0].map(\.maximumOutput)
    }
    XCTAssertEqual(try outputs([95, 100, 90]), [95, 90])
    XCTAssertEqual(try outputs([105, 100, 90]), [100, 90])
  }

  func test_init_withoutAPreset_setsAllGainsToZero() throws {
    let settings = try ProcessorSettings(
      preset: nil, layout: .audiometric, ears: [.left, .right])
    XCTAssertEqual(
      settings,
      ProcessorSettings(
        gains: [[Double]](repeating: [Double](repeating: 0, count: 10), count: 2),
        channelLinking: 1))
  }

  func test_lowSampleRates_highTones_doNotExceedTheMaximumOutput() throws {
    let profile = HearingProfile(left: .n5, right: .n5)
    let preset = try Fitting.techLevel(3).preset(for: profile)
    let ear = try XCTUnwrap(preset.left)
    for rate in [8_000.0, 11_025, 16_000] {
      let processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: rate, channelCount: 1),
        layout: XCTUnwrap(BandLayout.audiometric.limited(to: rate)))
      var settings = try ProcessorSettings(
        preset: preset, layout: processor.layout, ears: [.left],
        calibration: Calibration(fullScaleSPL: 120))
      settings.allowsOutputAboveFullScale = true
      try processor.apply(settings)
      for (frequency, level) in [0.38, 0.4, 0.42, 0.44].flatMap({
        [($0 * rate, 80.0), ($0 * rate, 105)]
      }) {
        processor.reset()
        let block = AudioBlock([
          Signals.tone(
            frequency, amplitude: 2.0.squareRoot() * pow(10, (level - 120) / 20), rate: rate,
            seconds: 1)
        ])
        processor.process(block)
        let output = 120 + Signals.rmsLevel(block.samples[0].suffix(Int(rate / 2)))
        XCTAssertLessThan(
          output, ear.largestOutput(at: frequency, in: .freeField) + 1,
          "\(frequency) Hz at \(level) dB SPL, sample rate \(rate)")
      }
    }
  }

  func test_linearPreset_withMeasuredDiscomfort_limitsLoudTones() throws {
    let discomfort = try Audiogram([250: 85, 8_000: 85])
    let profile = HearingProfile(left: .n4, leftDiscomfort: discomfort)
    let preset = try Fitting.techLevel(2).preset(for: profile)
    let rate = 48_000.0
    let processor = try BandGainProcessor(spec: ProcessingSpec(sampleRate: rate, channelCount: 1))
    try processor.apply(
      ProcessorSettings(preset: preset, layout: .audiometric, ears: [.left]))
    for frequency in [500.0, 1_000, 2_000, 4_000] {
      processor.reset()
      var samples = Signals.tone(frequency, level: 80, rate: rate, seconds: 1)
      samples.withUnsafeMutableBufferPointer { buffer in
        if let base = buffer.baseAddress {
          processor.processInterleaved(base, frameCount: buffer.count)
        }
      }
      let level = Signals.level(ofToneAt: frequency, in: samples[24_000...], rate: rate)
      let limit = Audiogram.n4.discomfortLevel(at: frequency, measured: discomfort) - 5
      XCTAssertLessThanOrEqual(level, limit + 0.5, "\(frequency)")
    }
  }
}
