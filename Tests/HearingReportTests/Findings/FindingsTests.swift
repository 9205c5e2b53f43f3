import HearingFitting
import XCTest

@testable import HearingReport

final class FindingsTests: XCTestCase {
  func test_average_isThatOfFourFrequencies() throws {
    let findings = Findings(HearingProfile(left: .n3))
    XCTAssertEqual(try XCTUnwrap(findings.pureToneAverage(of: .left)), 46.25)
    XCTAssertNil(findings.pureToneAverage(of: .right))
  }

  func test_grade_isThatOfTheBetterEar() {
    XCTAssertEqual(Findings(HearingProfile(left: .n6, right: .n3)).grade?.name, "Moderate")
    XCTAssertEqual(Findings(HearingProfile(left: .n6)).grade?.name, "Profound")
    XCTAssertNil(Findings(HearingProfile()).grade)
  }

  func test_gradeBand_beginsAtItsLowestThreshold() {
    for (average, name) in [
      (-10.0, "Normal"), (19.9, "Normal"), (20, "Mild"), (34.9, "Mild"), (35, "Moderate"),
      (50, "Moderately severe"), (65, "Severe"), (80, "Profound"), (94.9, "Profound"),
      (95, "Complete"), (120, "Complete"),
    ] {
      XCTAssertEqual(GradeBand(meanThreshold: average).name, name, "\(average)")
    }
  }

  func test_asymmetry_isNotableFrom15dB() throws {
    let flat = { (level: Double) in
      try Audiogram([500: level, 1000: level, 2000: level, 4000: level])
    }
    XCTAssertFalse(
      Findings(HearingProfile(left: try flat(20), right: try flat(34.9))).isAsymmetric)
    XCTAssertTrue(Findings(HearingProfile(left: try flat(35), right: try flat(20))).isAsymmetric)
    XCTAssertFalse(Findings(HearingProfile(left: try flat(90))).isAsymmetric)
  }

  func test_earsWithoutAllFrequenciesOfTheAverage_areIncomplete() throws {
    let partial = try Audiogram([500: 20, 4000: 40])
    XCTAssertEqual(Findings(HearingProfile(left: partial, right: .n1)).incompleteEars, [.left])
  }
}
