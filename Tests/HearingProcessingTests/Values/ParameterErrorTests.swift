import HearingProcessing
import XCTest

final class ParameterErrorTests: TimedTestCase {
  private let attempt = Attempt(applicator: "the left headphone", value: "0.5")

  func test_description_namesTheApplicatorAndTheValueInOneSentence() {
    let error: any Error = ParameterError.applyTimeoutExceeded(attempt)
    XCTAssertEqual(
      error.localizedDescription,
      "the left headphone did not answer in time when asked to apply 0.5.")
    XCTAssertEqual(
      ParameterError.cannotApply(Attempt(value: "2")).description,
      "An applicator cannot apply 2 now.")
  }

  func test_errors_areEqual_ifCaseAndAttemptAreEqual() {
    let other = Attempt(applicator: "the right headphone", value: "0.5")
    XCTAssertEqual(
      ParameterError.applyFailed(Trouble(), attempt), .applyFailed(DeviceFailure(), attempt))
    XCTAssertNotEqual(ParameterError.abandoned(attempt), .abandoned(other))
    XCTAssertNotEqual(ParameterError.abandoned(attempt), .cannotApply(attempt))
    XCTAssertNotEqual(ParameterError.invalidValue("1"), .invalidValue("2"))
    XCTAssertEqual(ProcessingError.parameter(.abandoned(attempt)), .parameter(.abandoned(attempt)))
    XCTAssertEqual(UpdateState.failed(1, .superseded), .failed(1, .superseded))
    XCTAssertNotEqual(UpdateState.failed(1, .superseded), .failed(2, .superseded))
  }

  func test_failures_containTheApplicatorNameAndTheValue() {
    let parameter = ProcessingParameter(0, scheduler: ManualScheduler()) { $0 < 100 }
    let unwilling = parameter.applicator(named: "left").canApply { $0 != 1 }.apply {
      value, result in
      if value == 2 { result(.failure(DeviceFailure())) }
    }
    let left = { Attempt(applicator: "left", value: $0) }
    XCTAssertEqual(parameter.apply(1).failureNow, .cannotApply(left("1")))
    XCTAssertEqual(parameter.apply(2).failureNow, .applyFailed(DeviceFailure(), left("2")))
    XCTAssertEqual(parameter.apply(3).failureNow, .abandoned(left("3")))
    XCTAssertEqual(parameter.apply(100).failureNow, .invalidValue("100"))
    XCTAssertEqual(parameter.updateState, .failed(3, .abandoned(left("3"))))
    XCTAssertEqual(unwilling.name, "left")
  }

  func test_description_isOneLineThatNamesTheCause() {
    let errors: [ParameterError] = [
      .cannotApply(attempt), .applyFailed(DeviceFailure(), attempt),
      .applyTimeoutExceeded(attempt), .abandoned(attempt), .superseded, .interrupted,
      .invalidValue("1.5"), .sessionDeactivated, .loadFailed(DeviceFailure()),
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
