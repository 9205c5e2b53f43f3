import XCTest

@testable import HearingFitting

final class AudiogramTests: XCTestCase {
  private typealias Point = Audiogram.Point

  func test_init_literal_sortsPointsByFrequency() throws {
    let audiogram = try Audiogram([4000: 65, 250: 35, 500: 40])
    XCTAssertEqual(audiogram.points.map(\.frequency), [250, 500, 4000])
    XCTAssertEqual(audiogram.points.map(\.threshold), [35, 40, 65])
    XCTAssertEqual(audiogram.points.first, Point(frequency: 250, threshold: 35))
  }

  func test_init_dictionaryVariable_isAccepted() throws {
    let thresholds: [Double: Double] = [500: 40, 250: 35]
    XCTAssertEqual(try Audiogram(thresholds), try Audiogram([250: 35, 500: 40]))
  }

  func test_init_literalWithDuplicate_failsWithIndexAndFrequency() {
    assertInvalid(
      { () throws(Audiogram.Invalid) in try Audiogram([250: 35, 500: 40, 250: 36]) },
      .duplicateFrequency(index: 2, frequency: 250))
  }

  func test_init_withoutPoints_fails() {
    assertInvalid({ () throws(Audiogram.Invalid) in try Audiogram([:]) }, .noPoints)
    assertInvalid({ () throws(Audiogram.Invalid) in try Audiogram(points: []) }, .noPoints)
  }

  func test_init_limitsOfFrequencyAndThreshold_areInclusive() throws {
    _ = try Audiogram([100: -10, 20_000: 120])
    assertInvalid(
      { () throws(Audiogram.Invalid) in try Audiogram([250: 0, 99.9: 0]) },
      .frequencyOutOfRange(index: 1, frequency: 99.9))
    assertInvalid(
      { () throws(Audiogram.Invalid) in try Audiogram([20_001: 0]) },
      .frequencyOutOfRange(index: 0, frequency: 20_001))
    assertInvalid(
      { () throws(Audiogram.Invalid) in try Audiogram([250: -10.5]) },
      .thresholdOutOfRange(index: 0, frequency: 250, threshold: -10.5))
    assertInvalid(
      { () throws(Audiogram.Invalid) in try Audiogram([250: 120.5]) },
      .thresholdOutOfRange(index: 0, frequency: 250, threshold: 120.5))
  }

  func test_init_nonFiniteValue_fails() {
    for value in [Double.nan, .infinity, -.infinity, 1e308] {
      XCTAssertThrowsError(try Audiogram(points: [Point(frequency: 250, threshold: value)]))
      XCTAssertThrowsError(try Audiogram(points: [Point(frequency: value, threshold: 20)]))
      XCTAssertThrowsError(try Audiogram(importing: [Point(frequency: 250, threshold: value)]))
    }
    let twiceNaN: [Double: Double] = [.nan: 10, 250: 20]
    XCTAssertThrowsError(try Audiogram(twiceNaN))
  }

  func test_init_tooManyPoints_failsAndNamesTheLimit() throws {
    func points(_ count: Int) -> [Point] {
      (0..<count).map { Point(frequency: 100 + Double($0), threshold: 20) }
    }
    XCTAssertEqual(try Audiogram(points: points(10_000)).points.count, 10_000)
    XCTAssertThrowsError(try Audiogram(points: points(10_001))) {
      XCTAssertEqual($0 as? Audiogram.Invalid, .tooManyPoints(count: 10_001))
      XCTAssertTrue("\($0)".contains("10000"), "\($0)")
    }
  }

  func test_initImporting_thresholdSlightlyOutOfRange_isClampedAndFlagged() throws {
    let audiogram = try Audiogram(importing: [
      Point(frequency: 250, threshold: -20), Point(frequency: 500, threshold: 120),
      Point(frequency: 1000, threshold: 130, isNoResponse: true),
    ])
    XCTAssertEqual(audiogram.points.map(\.threshold), [-10, 120, 120])
    XCTAssertEqual(audiogram.points.map(\.isClamped), [true, false, true])
    XCTAssertEqual(audiogram.points.map(\.isNoResponse), [false, false, true])
    for threshold in [-20.5, 130.5] {
      XCTAssertThrowsError(try Audiogram(importing: [Point(frequency: 1, threshold: threshold)]))
    }
  }

  func test_threshold_isLinearOnLogFrequencyAndConstantOutside() throws {
    let audiogram = try Audiogram([500: 20, 2000: 60])
    XCTAssertEqual(audiogram.threshold(at: 1000), 40, accuracy: 1e-12)
    XCTAssertEqual(audiogram.threshold(at: 20), 20)
    XCTAssertEqual(audiogram.threshold(at: 16_000), 60)
    XCTAssertEqual(Audiogram.n3.threshold(at: 8000), 65)
  }

  func test_threshold_ofAnAudiogramWithOnePoint_isTheSameAtEveryFrequency() throws {
    let audiogram = try Audiogram([1000: 45])
    for frequency in [1.0, 1000, 20_000] {
      XCTAssertEqual(audiogram.threshold(at: frequency), 45)
    }
  }

  func test_errorDescriptions_areOneLine() {
    let reasons: [Audiogram.Invalid] = [
      .noPoints, .tooManyPoints(count: 20_000), .frequencyOutOfRange(index: 3, frequency: 1e308),
      .thresholdOutOfRange(index: 1, frequency: 250, threshold: .nan),
      .duplicateFrequency(index: 2, frequency: 250),
    ]
    for reason in reasons { XCTAssertFalse(reason.description.contains("\n")) }
    XCTAssertEqual(
      Audiogram.Invalid.thresholdOutOfRange(index: 1, frequency: 250, threshold: 200).description,
      "point 1: threshold 200 dB HL at 250 Hz is outside -10 to 120 dB HL "
        + "(imports accept -20 to 130 dB HL)")
  }

  private func assertInvalid(
    _ body: () throws(Audiogram.Invalid) -> Audiogram, _ expected: Audiogram.Invalid,
    line: UInt = #line
  ) {
    do {
      _ = try body()
      XCTFail("no error", line: line)
    } catch {
      XCTAssertEqual(error, expected, line: line)
    }
  }
}
