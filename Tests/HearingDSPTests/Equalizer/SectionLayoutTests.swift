import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingDSP

final class SectionLayoutTests: XCTestCase {
  /// The coefficients of the render thread equal the coefficients of the design in double
  /// precision. There is one exception: the render thread corrects the rounding of the damping.
  func test_coefficients_equalTheDesignInDoublePrecision() {
    let plan = SectionPlan(layout: .audiometric, sampleRate: 48_000)
    var generator = SeededGenerator(seed: 31)
    var plans = [SectionLayout](repeating: SectionLayout(), count: 3)
    plans.withUnsafeMutableBufferPointer { buffer in
      SectionLayout.write(plan, to: buffer.row)
    }
    for _ in 0..<200 {
      var gains = SectionGains(bandCount: 10)
      gains.lowShelf = Double.random(in: -60...60, using: &generator)
      gains.highShelf = Double.random(in: -60...60, using: &generator)
      gains.bells = (0..<10).map { _ in Double.random(in: -60...60, using: &generator) }
      var targets = [SectionTargets](repeating: SectionTargets(), count: 3)
      targets.withUnsafeMutableBufferPointer { buffer in
        SectionTargets.write(gains, of: plan, to: buffer.row)
      }
      for (lanes, exact) in zip(plans, targets) {
        let computed = lanes.coefficients(gain: exact.gain)
        for lane in 0..<4 {
          assertClose(computed.a[lane], exact.coefficients.a[lane])
          assertClose(computed.c[lane], exact.coefficients.c[lane])
          assertClose(computed.e[lane], exact.coefficients.e[lane], tolerance: 1e-3)
          assertClose(computed.f[lane], exact.coefficients.f[lane], tolerance: 1e-4)
        }
      }
    }
  }

  func test_coefficients_zeroGain_addNothingToTheInput() {
    let plan = SectionPlan(layout: .audiometric, sampleRate: 48_000)
    var plans = [SectionLayout](repeating: SectionLayout(), count: 3)
    plans.withUnsafeMutableBufferPointer { buffer in
      SectionLayout.write(plan, to: buffer.row)
    }
    for lanes in plans {
      let coefficients = lanes.coefficients(gain: .zero)
      XCTAssertEqual(coefficients.e, .zero)
      XCTAssertEqual(coefficients.f, .zero)
    }
  }

  private func assertClose(
    _ value: Float, _ expected: Float, tolerance: Float = 2e-6, line: UInt = #line
  ) {
    XCTAssertEqual(
      value, expected, accuracy: tolerance * max(abs(expected), 1e-3), line: line)
  }
}
