import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingDSP

final class EqualizerStageTests: XCTestCase {
  private let rate = 48_000.0
  private let numbers = OwnedRow<Float>.filled(0, count: 64)
  private let vectors = OwnedRow<Float4>.filled(.zero, count: 64)

  private var targets: TargetGains {
    TargetGains(
      sections: vectors.row, pastSections: vectors.row,
      broadband: numbers.row, pastBroadband: numbers.row,
      bands: numbers.row, reached: numbers.row)
  }

  /// Creates a settings slot. All channels have the same gains in dB.
  private func withSlot(
    _ layout: BandLayout, channels: Int, gains: [Double],
    _ body: (Row<SettingsSlot>, EqualizerDesign, SectionGains) -> Void
  ) {
    let shape = ProcessorShape(channelCount: channels, bandCount: layout.centers.count)
    let slot = OwnedRow(SettingsSlot(shape: shape))
    var design = EqualizerDesign(layout: layout, sampleRate: rate)
    let sections = design.sectionGains(for: gains)
    for channel in 0..<channels {
      SectionTargets.write(
        sections, of: design.plan,
        to: slot[0].sections.from(channel * shape.vectorsPerChannel))
    }
    body(slot.row, design, sections)
  }

  func test_process_staticGains_givesTheDesignedResponseInEveryChannel() {
    var generator = SeededGenerator(seed: 8)
    for (layout, channels) in [(BandLayout.audiometric, 3), (.octave, 2), (.thirdOctave, 1)] {
      let gains = Signals.hearingLikeGains(centers: layout.centers, using: &generator)
      withSlot(layout, channels: channels, gains: gains) { slot, design, sections in
        let bench = StageBench(channels: channels, bands: layout.centers.count)
        var stage = EqualizerStage(shape: bench.shape, plan: design.plan)
        stage.begin(slot, targets)
        let impulse = [Float(1)] + Signals.silence(16_383)
        let output = bench.run(
          Array(repeating: impulse, count: channels), runs: [256, 3, 100]
        ) { stage.process(&$0) }.work
        for channel in 0..<channels {
          for frequency in [150, 400, 1_000, 3_300, 9_000] {
            let gain = Signals.gain(of: output[channel], at: Double(frequency), rate: rate)
            let designed =
              design.response(of: sections, at: Double(frequency)) - sections.broadband
            XCTAssertEqual(gain, designed, accuracy: 0.02, "channel \(channel), \(frequency) Hz")
          }
        }
        XCTAssertFalse(bench.unchanged.contains(0))
      }
    }
  }

  func test_process_afterARamp_hasTheNewResponse() {
    for shape in [RampShape.straight, .curved] { checkRamps(shape) }
  }

  private func checkRamps(_ shape: RampShape) {
    withSlot(.octave, channels: 2, gains: [0, 0, 0, 0, 0, 0, 0]) { flat, design, _ in
      withSlot(.octave, channels: 2, gains: [0, 5, 10, 15, 20, 25, 30]) { slot, _, sections in
        let bench = StageBench(channels: 2, bands: 7)
        var stage = EqualizerStage(shape: bench.shape, plan: design.plan)
        stage.begin(flat, targets)
        XCTAssertTrue(stage.differs(from: slot))
        stage.startTransition(
          slot, targets, MotionRestart(time: nil, stretch: 1, windowProgress: 0))
        (bench.ramp, bench.rampLength) = (shape, 16)
        let silence = [Signals.silence(16), Signals.silence(16)]
        for step in 1...(shape == .curved ? 11 : 10) {
          let point = TransitionPoint(
            time: step < 10 ? Float(step) / 10 : nil, isWaiting: false, windowProgress: 1,
            frames: 16, ramp: shape)
          stage.startRamp(to: point, slot, targets)
          _ = bench.run(silence) { stage.process(&$0) }
          stage.finishRamp(shape)
        }
        bench.ramp = .none
        let impulse = [Float(1)] + Signals.silence(16_383)
        let output = bench.run([impulse, impulse]) { stage.process(&$0) }.work
        for frequency in [250.0, 1_000, 4_000] {
          XCTAssertEqual(
            Signals.gain(of: output[1], at: frequency, rate: rate),
            design.response(of: sections, at: frequency) - sections.broadband, accuracy: 0.02)
        }
      }
    }
  }

  func test_reset_afterAClick_outputsSilence() {
    withSlot(.octave, channels: 2, gains: [0, 5, 10, 15, 20, 25, 30]) { slot, design, _ in
      let bench = StageBench(channels: 2, bands: 7)
      var stage = EqualizerStage(shape: bench.shape, plan: design.plan)
      stage.begin(slot, targets)
      let click = [[Float(1)], [Float(-1)]]
      let silence = [Signals.silence(64), Signals.silence(64)]
      _ = bench.run(click) { stage.process(&$0) }
      XCTAssertGreaterThan(Signals.peak(bench.run(silence) { stage.process(&$0) }.work[0]), 0)
      stage.reset()
      XCTAssertEqual(bench.run(silence) { stage.process(&$0) }.work, silence)
    }
  }
}
