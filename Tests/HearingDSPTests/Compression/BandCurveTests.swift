import TestSupport
import XCTest

@testable import HearingDSP

final class BandCurveTests: XCTestCase {
  func test_gain_isLinearBetweenPoints_andConstantBeyondThem() throws {
    let curve = try BandCurve(points: [
      .init(level: 30, gain: 10), .init(level: 45, gain: 25), .init(level: 90, gain: 5),
    ])
    for (level, gain) in [
      (-100.0, 10.0), (30, 10), (37.5, 17.5), (45, 25), (67.5, 15), (90, 5), (150, 5),
    ] {
      XCTAssertEqual(curve.gain(at: level), gain, accuracy: 1e-12)
    }
    XCTAssertNil(curve.fixedGain)
    XCTAssertEqual(curve.attackTime, 0.005)
    XCTAssertEqual(curve.releaseTime, 0.1)
  }

  func test_fixedGain_ofAFlatCurve_isItsGainAtEveryLevel() throws {
    let curve = BandCurve.gain(7)
    XCTAssertEqual(curve.fixedGain, 7)
    for level in [-50.0, 0, 65, 200] { XCTAssertEqual(curve.gain(at: level), 7) }
    let flat = try BandCurve(points: [.init(level: 0, gain: 3), .init(level: 90, gain: 3)])
    XCTAssertEqual(flat.fixedGain, 3)
  }

  func test_init_invalidPointsOrTimes_failsWithIndexOrValue() {
    func failure(
      _ points: [(Double, Double)], attack: Double = 0.005, release: Double = 0.1
    ) -> BandCurve.Invalid? {
      do throws(BandCurve.Invalid) {
        _ = try BandCurve(
          points: points.map { BandCurve.Point(level: $0.0, gain: $0.1) }, attackTime: attack,
          releaseTime: release)
        return nil
      } catch {
        XCTAssertFalse(error.description.contains("\n"))
        return error
      }
    }
    XCTAssertEqual(failure([]), .pointCountOutOfRange(0))
    XCTAssertEqual(
      failure((0..<129).map { (Double($0), 0) }), .pointCountOutOfRange(129))
    XCTAssertEqual(failure([(0, 0), (.nan, 1)]), .pointNotFinite(index: 1))
    XCTAssertEqual(failure([(0, .infinity)]), .pointNotFinite(index: 0))
    XCTAssertEqual(failure([(50, 0), (50, 1)]), .levelNotRising(index: 1, level: 50))
    XCTAssertEqual(failure([(50, 0)], attack: -1), .attackTimeOutOfRange(-1))
    XCTAssertNotNil(failure([(50, 0)], attack: .nan))
    XCTAssertEqual(failure([(50, 0)], release: 11), .releaseTimeOutOfRange(11))
    XCTAssertNil(failure([(50, 0)], attack: 0, release: 10))
  }

  func test_gain_withMaximumOutput_limitsLevelPlusGain_andIsAtLeastMinus80dB() throws {
    let curve = try BandCurve(
      points: [.init(level: 45, gain: 25), .init(level: 90, gain: 5)], maximumOutput: 90)
    for (level, gain) in [
      (0.0, 25.0), (45, 25), (81, 9), (90, 0), (100, -10), (170, -80), (300, -80),
    ] {
      XCTAssertEqual(curve.gain(at: level), gain, accuracy: 1e-9)
    }
    XCTAssertEqual(try curve.limited(toOutput: nil).gain(at: 90), 5)
    // If a curve has a maximum output, its gain depends on the input level.
    XCTAssertNil(try BandCurve.gain(12).limited(toOutput: 95).fixedGain)
    XCTAssertEqual(try BandCurve.gain(12).limited(toOutput: 95).gain(at: 90), 5)
  }

  func test_maximumOutput_outOfRange_failsWithTheLevel() throws {
    for level in [-0.1, 200.5, .infinity] {
      XCTAssertThrowsError(try BandCurve.gain(0).limited(toOutput: level)) {
        XCTAssertEqual($0 as? BandCurve.Invalid, .maximumOutputOutOfRange(level))
      }
    }
    XCTAssertThrowsError(try BandCurve(points: [.init(level: 0, gain: 0)], maximumOutput: .nan))
  }

  func test_points_giveTheGainWithoutMaximumOutput_andIncludeAllLevelsThatItLimits() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      var level = Double.random(in: -20...60, using: &generator)
      let curve = try BandCurve(
        points: (0..<Int.random(in: 1...12, using: &generator)).map { _ in
          level += Double.random(in: 0.1...15, using: &generator)
          return .init(level: level, gain: Double.random(in: -80...80, using: &generator))
        },
        maximumOutput: Bool.random(using: &generator)
          ? Double.random(in: 0...130, using: &generator) : nil)
      let intensity =
        [0, 1, Double.random(in: 0...1, using: &generator)]
        .randomElement(using: &generator) ?? 1
      let points = curve.points(intensity: intensity)
      let joined = try BandCurve(points: points)
      if let maximum = curve.maximumOutput {
        XCTAssertLessThanOrEqual(points[0].level + points[0].gain, maximum - 39.999)
        XCTAssertGreaterThanOrEqual(points[points.count - 1].level, maximum + 80)
      }
      for _ in 0..<50 {
        let input = Double.random(in: -60...220, using: &generator)
        let scaled = intensity * (try curve.limited(toOutput: nil).gain(at: input))
        let expected = curve.maximumOutput.map { min(scaled, max(-80, $0 - input)) } ?? scaled
        XCTAssertEqual(joined.gain(at: input), scaled, accuracy: 1e-9)
        XCTAssertEqual(curve.gain(at: input, intensity: intensity), expected, accuracy: 1e-9)
      }
    }
  }
}
