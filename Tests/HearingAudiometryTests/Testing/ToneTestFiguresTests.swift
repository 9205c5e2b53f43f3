@_spi(Measuring) import HearingAudiometry
import XCTest

/// The figures of the test, over as many simulated listeners as a build takes in a few seconds.
/// `Benchmarks audiometry` has ten thousand.
final class ToneTestFiguresTests: XCTestCase {
  private let count = 300

  override func setUpWithError() throws {
    #if DEBUG
      throw XCTSkip("hundreds of listeners take minutes in a debug build")
    #endif
  }

  private func figures(
    _ method: ToneTestMethod, _ conditions: ToneTestFigures.Conditions = .init(),
    count: Int? = nil
  ) -> ToneTestFigures {
    var figures = ToneTestFigures()
    for number in 0..<(count ?? self.count) {
      figures.add(number, seed: 77, method: method, conditions: conditions)
    }
    return figures
  }

  func test_bayesian_reachesItsFigures_onHeldOutShapes() {
    let figures = figures(.bayesian)
    XCTAssertLessThan(figures.tones, 33)
    XCTAssertLessThan(abs(figures.bias), 0.4)
    XCTAssertLessThan(figures.meanAbsoluteError, 3.5)
    XCTAssertGreaterThan(figures.shareWithinTen, 0.965)
    XCTAssertTrue((0.85...0.95).contains(figures.coverage), "\(figures.coverage)")
    XCTAssertLessThanOrEqual(figures.shareFlagged, 0.05)
  }

  func test_hughsonWestlake_isAFewDecibelsHigh_asTheMethodIs() {
    let figures = figures(.modifiedHughsonWestlake)
    XCTAssertEqual(figures.bias, 2.5, accuracy: 1)
    XCTAssertLessThan(figures.meanAbsoluteError, 4)
    XCTAssertGreaterThan(figures.shareWithinTen, 0.97)
    XCTAssertLessThanOrEqual(figures.shareFlagged, 0.05)
  }

  func test_whoOftenPressesInSilence_isFlagged() {
    var conditions = ToneTestFigures.Conditions()
    (conditions.falseAlarms, conditions.lapses) = (0.2, 0.02)
    for method in [ToneTestMethod.bayesian, .modifiedHughsonWestlake] {
      XCTAssertGreaterThanOrEqual(
        figures(method, conditions, count: count / 2).shareFlagged, 0.9)
    }
  }

  func test_whoPressesAtRandom_isFlagged() {
    for habit in [
      SimulatedListener.Habit.alwaysPresses, .neverPresses, .pressesAtRandom(share: 0.5),
    ] {
      var conditions = ToneTestFigures.Conditions()
      conditions.habit = habit
      XCTAssertEqual(
        figures(.bayesian, conditions, count: count / 6).shareFlagged, 1, "\(habit)")
    }
  }
}
