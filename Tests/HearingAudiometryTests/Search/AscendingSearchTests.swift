import XCTest

@testable import HearingAudiometry

/// Tests the ascending method with simulated listeners who make no errors.
final class AscendingSearchTests: XCTestCase {
  private func run(
    _ search: AscendingSearch, _ hears: (Int) -> Bool
  ) -> (levels: [Int], outcome: AscendingSearch.Outcome) {
    var search = search
    var levels: [Int] = []
    while true {
      if let outcome = search.outcome { return (levels, outcome) }
      levels.append(search.level)
      search.learn(isHeard: hears(search.level), at: search.level)
    }
  }

  func test_fullMethod_goes10dBDownAnd5dBUp_untilThreeResponsesAgree() {
    let search = AscendingSearch(from: 40, limit: 85, rule: .full)
    let (levels, outcome) = run(search) { $0 >= 30 }
    XCTAssertEqual(outcome, .threshold(30))
    XCTAssertEqual(levels, [40, 30, 20, 25, 30, 20, 25, 30, 20, 25, 30])
  }

  func test_shortenedMethod_endsAfterTwoAgreeingResponses() {
    let search = AscendingSearch(from: 40, limit: 85, rule: .shortened)
    let (levels, outcome) = run(search) { $0 >= 30 }
    XCTAssertEqual(outcome, .threshold(30))
    XCTAssertEqual(levels, [40, 30, 20, 25, 30, 20, 25, 30])
  }

  func test_familiarisation_goes20dBDown_then10dBUp_andRepeatsTheLevel() {
    let search = AscendingSearch(from: 40, limit: 85, rule: .full, familiarises: true)
    let (levels, outcome) = run(search) { $0 >= 5 }
    XCTAssertEqual(Array(levels.prefix(6)), [40, 20, 0, 10, 10, 0])
    XCTAssertEqual(outcome, .threshold(5))
  }

  func test_listenerWhoHearsNoTone_getsNoResponseAtTheMaximumLevel() {
    let search = AscendingSearch(from: 40, limit: 69, rule: .full)
    let (levels, outcome) = run(search) { _ in false }
    XCTAssertEqual(outcome, .noResponse)
    XCTAssertEqual(levels, [40, 50, 60, 69, 69])
  }

  func test_listenerWhoHearsEveryTone_getsTheMinimumLevel() {
    let search = AscendingSearch(from: 40, limit: 85, rule: .full)
    let (levels, outcome) = run(search) { _ in true }
    XCTAssertEqual(outcome, .threshold(-10))
    XCTAssertLessThan(levels.count, 12)
  }

  func test_responsesThatNeverAgree_giveAnUndecidedOutcome() {
    // The ascents end at 20, 30 and 40 dB, one after the other. Therefore no level occurs in three
    // of five ascents.
    let thresholds = [20, 30, 40]
    var ascent = 0
    var isBelow = false
    var ends: [Int] = []
    var presented = 0
    let search = AscendingSearch(from: 50, limit: 85, rule: .full)
    let (levels, outcome) = run(search) { level in
      let isHeard = level >= thresholds[ascent % 3]
      presented += 1
      if isHeard, isBelow {
        ascent += 1
        ends.append(presented)
      }
      isBelow = !isHeard
      return isHeard
    }
    XCTAssertEqual(ends.map { levels[$0 - 1] }, [20, 30, 40, 20, 30, 40, 20, 30, 40, 20])
    // If five ascents do not agree, the search starts again 10 dB above the level of the last
    // response.
    XCTAssertEqual(
      ends.prefix(9).map { levels[$0] - levels[$0 - 1] },
      [
        -10, -10, -10, -10, 10, -10, -10, -10, -10,
      ])
    // The second group of five ascents ends at 40, 20, 30, 40 and 20 dB. The outcome is their
    // median.
    XCTAssertEqual(outcome, .undecided(30))
    XCTAssertEqual(levels.count, ends.last)
  }
}
