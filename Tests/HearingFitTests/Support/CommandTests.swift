import ExampleSupport
import XCTest

final class CommandTests: XCTestCase {
  func test_failures_haveTheExitCodesOfSysexits() {
    for (failure, code) in [
      (CommandFailure.usage(.missingOperand("IN")), 64),
      (.badData(place: "a", reason: "b"), 65), (.noInput(path: "a", reason: "b"), 66),
      (.cannotCreate(path: "a", reason: "b"), 73), (.cannotWrite(path: "a", reason: "b"), 74),
    ] as [(CommandFailure, Int32)] {
      XCTAssertEqual(failure.exitCode.rawValue, code)
    }
  }

  func test_message_namesTheCommandAndPointsToItsHelp() {
    let command = Command("tool")
    XCTAssertEqual(
      command.message(for: .usage(.missingOperand("IN"))),
      "tool: IN is missing (tool --help tells more)")
    XCTAssertEqual(
      command.message(for: .badData(place: "in.json", reason: "left: missing")),
      "tool: in.json: left: missing")
  }
}
