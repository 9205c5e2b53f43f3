import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingDSP

final class SampleOperationsTests: XCTestCase {
  private let faults: [Float] = [.nan, -.nan, .signalingNaN, .infinity, -.infinity]

  /// The documented result of the copy operation, computed with a plain loop over `samples`.
  private func reference(
    _ samples: [Float], least: Float, most: Float
  ) -> (samples: [Float], peak: Float, isBroken: Bool) {
    let kept = samples.map { abs($0) >= least && abs($0) <= most ? $0 : 0 }
    return (kept, kept.map(abs).max() ?? 0, samples.contains { !(abs($0) <= most) })
  }

  func test_copy_anyLengthAndInvalidSample_equalsAReferenceLoop() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for count in 1...13 {
      for fault in faults + [11, 1e-21, 0] {
        for position in 0..<count {
          var samples = Signals.noise(count: count, amplitude: 10, using: &generator)
          samples[position] = fault
          let expected = reference(samples, least: 1e-20, most: 10)
          for isInPlace in [false, true] {
            var source = samples
            var target = Signals.silence(count)
            let (peak, isBroken) = source.withUnsafeMutableBufferPointer { from in
              target.withUnsafeMutableBufferPointer { to -> (Float, Bool) in
                let (read, other) = (from.row, to.row)
                let result = SampleOperations.copy(
                  read, to: isInPlace ? read : other, count: count, minimum: 1e-20,
                  maximum: 10)
                return (result.peak, result.isBroken)
              }
            }
            let message = "\(count) samples, \(fault) at \(position), in place: \(isInPlace)"
            let written = isInPlace ? source : target
            XCTAssertEqual(Signals.bits(written), Signals.bits(expected.samples), message)
            XCTAssertEqual(peak, expected.peak, message)
            XCTAssertEqual(isBroken, expected.isBroken, message)
          }
        }
      }
    }
  }

  func test_copy_samplesUpToTheDenormalGuardLevel_doNotAffectThePeak() {
    for count in 1...13 {
      for level: Float in [0, 1e-17, 1e-16] {
        var samples = (0..<count).map { $0 % 3 == 0 ? -level : level }
        let peak = samples.withUnsafeMutableBufferPointer { buffer in
          SampleOperations.copy(
            buffer.row, to: buffer.row, count: count, minimum: 1e-16, maximum: 10, filler: -1e-16
          ).peak
        }
        XCTAssertEqual(peak, 0, "\(count) samples of \(level)")
      }
    }
  }

  func test_amplify_nonFiniteSampleAtAnyIndex_returnsAnInfinitePeak() {
    for count in 1...13 {
      for fault in faults {
        for position in 0..<count {
          var samples = [Float](repeating: 0.5, count: count)
          samples[position] = fault
          let peak = samples.withUnsafeMutableBufferPointer { buffer -> Float in
            let base = buffer.row
            return SampleOperations.amplify(
              base, to: base, count: count, from: 1, slope: 0, offset: 0)
          }
          XCTAssertEqual(peak, .infinity, "\(count) samples, \(fault) at \(position)")
        }
      }
    }
  }
}
