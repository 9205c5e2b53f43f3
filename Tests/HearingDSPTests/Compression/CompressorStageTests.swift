import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingDSP

final class CompressorStageTests: XCTestCase {
  private let rate = 48_000.0
  private let layout = BandLayout.audiometric

  /// Creates a compressor stage and its settings slot, and passes both to `body`. Before that, the
  /// stage has processed `seconds` of a tone at `frequency`.
  private func withStage(
    _ frequency: Double, level: Double, seconds: Double = 0.6, curve: BandCurve,
    _ body: (borrowing CompressorStage, EqualizerDesign) -> Void
  ) {
    let spec = ProcessingSpec(sampleRate: rate, channelCount: 1)
    let bands = layout.centers.count
    let bench = StageBench(channels: 1, bands: bands)
    let slots = OwnedRow(SettingsSlot(shape: bench.shape))
    let slot = slots.row
    var control = ProcessorControl(spec: spec, layout: layout)
    control.compute(
      ProcessorSettings(
        curves: [Array(repeating: curve, count: bands)], outputCeiling: 120,
        allowsOutputAboveFullScale: true))
    control.write(to: &slot[0])
    var stage = CompressorStage(
      shape: bench.shape, layout: layout, sampleRate: rate, design: control.design)
    stage.begin(slot)
    let amplitude = Calibration().peakAmplitude(ofSineAt: level)
    let tone = Signals.sine(
      frequency, rate: rate, count: Int(seconds * rate) / 64 * 64, amplitude: amplitude)
    let result = bench.run([tone], runs: [64]) { run in
      stage.startWindow(slot, correctsAll: false)
      stage.process(&run)
      stage.finishWindow(slot)
    }
    XCTAssertEqual(result.work[0], tone)
    XCTAssertTrue(bench.unchanged.contains(0))
    body(stage, control.design)
  }

  func test_targets_steadyTone_areTheGainsOfTheCurve() throws {
    let curve = try BandCurve(points: [
      .init(level: 40, gain: 30), .init(level: 70, gain: 15), .init(level: 100, gain: 0),
    ])
    for (band, frequency) in [(1, 500.0), (3, 1_000), (7, 4_000)] {
      for level in [50.0, 65, 80] {
        withStage(frequency, level: level, curve: curve) { stage, _ in
          let (shown, targets) = (stage.shownLevels(0)[band], stage.targets)
          XCTAssertEqual(Double(shown), level, accuracy: 0.1)
          XCTAssertEqual(
            Double(targets.bands[band]), curve.gain(at: level), accuracy: 0.1,
            "\(frequency) Hz, \(level) dB SPL")
        }
      }
    }
  }

  func test_sectionTargets_combined_giveTheTargetGainOfEachBand() throws {
    let curve = try BandCurve(points: [.init(level: 40, gain: 25), .init(level: 90, gain: 5)])
    withStage(1_000, level: 60, curve: curve) { stage, design in
      let targets = stage.targets
      var sections = SectionGains(bandCount: 10)
      let decibels = { (gain: Float) in Double(gain) * 2 / CMath.octaves(decibels: 1) }
      let places = SectionTargets.sectionIndices(bandCount: 10)
      func gain(_ section: Int) -> Double {
        decibels(targets.sections[places[section] / 4][places[section] % 4])
      }
      sections.broadband = decibels(targets.broadband[0]) / 2
      sections.lowShelf = gain(0)
      sections.highShelf = gain(1)
      for band in 0..<10 { sections.bells[band] = gain(band + 2) }
      for (band, center) in layout.centers.enumerated() {
        XCTAssertEqual(
          design.response(of: sections, at: center), Double(targets.bands[band]),
          accuracy: 0.2, "band \(band)")
      }
    }
  }

  func test_process_onlyFixedGains_leavesTheCompressorInactive() {
    withStage(1_000, level: 60, curve: .gain(20)) { stage, _ in
      let (isActive, isSettling) = (stage.isActive, stage.isSettling)
      XCTAssertFalse(isActive)
      XCTAssertFalse(isSettling)
    }
  }

  func test_detectorLevel_afterAToneEnds_fallsWithTheSmoothingTimeConstant() {
    let bench = StageBench(channels: 1, bands: layout.centers.count)
    let slots = OwnedRow(SettingsSlot(shape: bench.shape))
    let slot = slots.row
    var detector = BandLevelDetector(shape: bench.shape, layout: layout, sampleRate: rate)
    detector.begin(slot)
    detector.settlingWindows = 0
    var levels: [Float] = []
    let tone = Signals.sine(8_000, rate: rate, count: 6_400) + Signals.silence(640)
    _ = bench.run([tone], runs: [64]) { run in
      detector.record(run)
      detector.finishWindow(slot)
      levels.append(detector.shownLevels[9])
    }
    // The time constant is 1 ms and a window lasts 1.33 ms. Therefore the level changes by −5.79 dB
    // per window, which is 10 log10(e^−1.33).
    for index in 103..<108 {
      XCTAssertEqual(levels[index] - levels[index - 1], -5.79, accuracy: 0.02)
    }
  }
}
