import HearingBuffers
import XCTest

@testable import HearingDSP

final class CurveTableTests: XCTestCase {
  private let rate = 48_000.0

  private func slot(_ curve: BandCurve) -> OwnedRow<CompressorStage.Settings> {
    let slots = OwnedRow(
      CompressorStage.Settings(shape: ProcessorShape(channelCount: 1, bandCount: 1)))
    var table = CurveTable(sampleRate: rate)
    table.compute(ProcessorSettings(curves: [[curve]]))
    table.write(to: &slots.row[0])
    return slots
  }

  /// The attack and release coefficients are those of a one-pole filter that is updated every 64
  /// frames (one window). The lead coefficients are those for 32 frames (half a window).
  func test_compute_timeConstants_giveOnePoleCoefficientsFor64And32Frames() throws {
    let slots = slot(
      try BandCurve(
        points: [.init(level: 40, gain: 20), .init(level: 90, gain: 0)], attackTime: 0.005,
        releaseTime: 0.1))
    let ballistics = slots[0].ballistics[0]
    func coefficient(_ frames: Double, _ time: Double) -> Float {
      Float(1 - exp(-frames / rate / time))
    }
    XCTAssertEqual(ballistics.attack[0], coefficient(64, 0.005), accuracy: 1e-6)
    XCTAssertEqual(ballistics.release[0], coefficient(64, 0.1), accuracy: 1e-6)
    XCTAssertEqual(ballistics.attackLead[0], coefficient(32, 0.005), accuracy: 1e-6)
    XCTAssertEqual(ballistics.releaseLead[0], coefficient(32, 0.1), accuracy: 1e-6)
    XCTAssertEqual(ballistics.minimumLevel[0], 40)
    XCTAssertEqual(ballistics.maximumLevel[0], 90)
  }

  func test_compute_steepCurve_givesAccurateGains() throws {
    let curve = try BandCurve(points: [
      .init(level: 40, gain: 20), .init(level: 60, gain: 20), .init(level: 60.000_000_1, gain: 5),
      .init(level: 90, gain: 5),
    ])
    let slots = slot(curve)
    let place = OwnedRow<Int32>.filled(0, count: 1)
    for level in [40, 59.9, 60.1, 89, 41] as [Float] {
      let gain = slots[0].spans[0].gain(at: level, slots[0].segments.row, lastSegment: place.row)
      XCTAssertEqual(Double(gain), curve.gain(at: Double(level)), accuracy: 1e-4)
    }
  }
}
