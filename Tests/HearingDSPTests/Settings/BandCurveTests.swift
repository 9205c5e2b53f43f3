import HearingDSP
import XCTest

final class BandCurveTests: XCTestCase {
  func test_gain_betweenPoints_isOnTheStraightLine_andHeldBeyond() throws {
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

  func test_fixedGain_isTheSameAtEveryLevel() throws {
    let curve = BandCurve.gain(7)
    XCTAssertEqual(curve.fixedGain, 7)
    for level in [-50.0, 0, 65, 200] { XCTAssertEqual(curve.gain(at: level), 7) }
    let flat = try BandCurve(points: [.init(level: 0, gain: 3), .init(level: 90, gain: 3)])
    XCTAssertEqual(flat.fixedGain, 3)
  }

  func test_init_wrongPoints_failsWithPlace() {
    func failure(
      _ points: [(Double, Double)], attack: Double = 0.005, release: Double = 0.1
    ) -> BandCurve.Failure? {
      do throws(BandCurve.Failure) {
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
}
