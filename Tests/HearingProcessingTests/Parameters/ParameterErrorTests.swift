import HearingProcessing
import XCTest

final class ParameterErrorTests: XCTestCase {
  func test_description_isOneLineThatNamesTheCause() {
    let errors: [ParameterError] = [
      .cannotApply, .applyFailed(DeviceFailure()), .applyTimeoutExceeded, .abandoned, .superseded,
      .interrupted, .invalidValue, .sessionDeactivated, .loadFailed(DeviceFailure()),
    ]
    let descriptions = errors.map(\.description)
    XCTAssertEqual(Set(descriptions).count, errors.count)
    for description in descriptions {
      XCTAssertFalse(description.isEmpty || description.contains("\n"), description)
    }
    XCTAssertTrue(descriptions[1].contains("DeviceFailure"))
    XCTAssertTrue(descriptions[8].contains("DeviceFailure"))
  }
}
