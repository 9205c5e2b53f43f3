import Foundation
import TestSupport
import XCTest

@testable import HearingAudio

final class FourierTransformTests: XCTestCase {
  func test_transform_isTheSumThatDefinesIt() {
    var generator = SeededGenerator(seed: 7)
    for count in [2, 4, 64] {
      let real = (0..<count).map { _ in Double.random(in: -1...1, using: &generator) }
      let imaginary = (0..<count).map { _ in Double.random(in: -1...1, using: &generator) }
      var (outputReal, outputImaginary) = (real, imaginary)
      FourierTransform(count: count).transform(
        real: &outputReal, imaginary: &outputImaginary)
      for line in 0..<count {
        var sum = (real: 0.0, imaginary: 0.0)
        for index in 0..<count {
          let angle = -2 * Double.pi * Double(line * index) / Double(count)
          sum.real += real[index] * cos(angle) - imaginary[index] * sin(angle)
          sum.imaginary += real[index] * sin(angle) + imaginary[index] * cos(angle)
        }
        XCTAssertEqual(outputReal[line], sum.real, accuracy: 1e-12, "\(line) of \(count)")
        XCTAssertEqual(outputImaginary[line], sum.imaginary, accuracy: 1e-12, "\(line) of \(count)")
      }
    }
  }
}
