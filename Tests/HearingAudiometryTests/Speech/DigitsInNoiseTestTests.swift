import Foundation
import HearingAudiometry
import HearingFitting
import XCTest

final class DigitsInNoiseTestTests: XCTestCase {
  func test_signalToNoise_startsAt0dB_andChangesBy2dBWithEachAnswer() throws {
    var test = DigitsInNoiseTest(seed: 1)
    XCTAssertEqual(test.next?.signalToNoise, 0)
    try test.answer(test.triplets[0])
    XCTAssertEqual(test.next?.signalToNoise, -2)
    // If one digit is wrong, the whole triplet is wrong.
    var wrong = test.triplets[1]
    wrong[2] = (wrong[2] + 1) % 10
    try test.answer(wrong)
    XCTAssertEqual(test.next?.signalToNoise, 0)
  }

  func test_threshold_isTheMeanOfTriplets5To25() throws {
    var test = DigitsInNoiseTest(seed: 1)
    // The listener answers correctly only if the signal-to-noise ratio is above −10 dB.
    while let triplet = test.next {
      let isRight = triplet.signalToNoise > -10
      try test.answer(isRight ? triplet.digits : [0, 0, 0])
    }
    // Triplets 1 to 6 have signal-to-noise ratios of 0, −2, …, −10 dB. In triplets 7 to 25, the
    // ratio alternates between −8 and −10 dB.
    let expected = [-8.0, -10] + (7...25).map { $0.isMultiple(of: 2) ? -10 : -8 }
    XCTAssertEqual(
      try XCTUnwrap(test.result).threshold, expected.reduce(0, +) / 21, accuracy: 1e-9)
    XCTAssertThrowsError(try test.answer([1, 2, 3])) {
      XCTAssertEqual($0 as? HearingTestError, .alreadyFinished)
    }
  }

  func test_answersAllCorrectOrAllWrong_reachTheSignalToNoiseLimit() throws {
    for isRight in [true, false] {
      var test = DigitsInNoiseTest(seed: 1)
      while let triplet = test.next { try test.answer(isRight ? triplet.digits : [0, 0, 0]) }
      XCTAssertTrue(test.hasReachedLimit)
    }
    var test = DigitsInNoiseTest(seed: 1)
    while let triplet = test.next {
      try test.answer(triplet.signalToNoise > -10 ? triplet.digits : [0, 0, 0])
    }
    XCTAssertFalse(test.hasReachedLimit)
  }

  func test_standardErrorOfTheThreshold_isAtMost0_7dB() throws {
    for threshold in [-9.0, -5, 0] {
      var errors: [Double] = []
      for seed in 0..<300 {
        var test = DigitsInNoiseTest(seed: UInt64(seed))
        var listener = SimulatedListener(profile: HearingProfile(), seed: UInt64(seed))
        while let triplet = test.next {
          try test.answer(listener.understand(triplet, threshold: threshold))
        }
        errors.append(try XCTUnwrap(test.result).threshold - threshold)
      }
      let mean = errors.reduce(0, +) / 300
      let deviation = (errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 299).squareRoot()
      XCTAssertLessThan(deviation, 0.7, "at \(threshold) dB")
      XCTAssertLessThan(abs(mean), 0.5, "at \(threshold) dB")
    }
  }

  func test_simulatedListener_understandsHalfOfTheTripletsAtTheThreshold() {
    var listener = SimulatedListener(profile: HearingProfile(), seed: 3)
    for (ratio, fraction) in [(-6.0, 0.5), (-5, 0.69), (-7, 0.31)] {
      let triplet = (digits: [1, 5, 9], signalToNoise: ratio)
      let right = (0..<4000).count { _ in
        listener.understand(triplet, threshold: -6) == triplet.digits
      }
      // The tolerance is three standard errors.
      XCTAssertEqual(Double(right) / 4000, fraction, accuracy: 0.024)
    }
  }

  func test_triplets_neverRepeatADigit_andUseAllDigitsAboutEquallyOften() {
    for seed in 0..<50 {
      let test = DigitsInNoiseTest(seed: UInt64(seed))
      XCTAssertEqual(test.triplets.count, 24)
      XCTAssertTrue(test.triplets.allSatisfy { Set($0).count == 3 })
      for position in 0..<3 {
        let counts = (0...9).map { digit in test.triplets.count { $0[position] == digit } }
        XCTAssertTrue(counts.allSatisfy((1...4).contains), "\(counts)")
      }
    }
  }

  func test_invalidAnswerOrStoredTest_throws() throws {
    var test = DigitsInNoiseTest(seed: 1)
    for bad in [[], [1, 2], [1, 2, 10], [1, 2, -1], [1, 2, 3, 4]] {
      XCTAssertThrowsError(try test.answer(bad)) {
        XCTAssertEqual($0 as? HearingTestError, .notATriplet(bad))
      }
    }
    try test.answer([1, 2, 3])
    let data = test.jsonData()
    XCTAssertEqual(try DigitsInNoiseTest(json: data), test)
    XCTAssertThrowsError(try DigitsInNoiseTest(json: data.prefix(data.count / 2)))
    let later = String(decoding: data, as: UTF8.self)
      .replacingOccurrences(of: "\"version\" : 1", with: "\"version\" : 9")
    XCTAssertThrowsError(try DigitsInNoiseTest(json: Data(later.utf8))) {
      XCTAssertTrue("\($0)".contains("newer"))
    }
  }
}
