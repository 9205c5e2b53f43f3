import ExampleSupport
import HearingProcessing
import XCTest

final class CommandTests: XCTestCase {
  private let command = Command(
    "tool", help: "tool IN --quiet --output-format F --max-output-spl DB")

  func test_failures_haveTheExitCodesOfSysexits() {
    for (failure, code) in [
      (CommandFailure.usage(.missingOperand("IN")), 64),
      (.badData(input: "a", reason: "b"), 65), (.noInput(path: "a", reason: "b"), 66),
      (.cannotCreate(path: "a", reason: "b"), 73), (.cannotWrite(path: "a", reason: "b"), 74),
    ] as [(CommandFailure, Int32)] {
      XCTAssertEqual(failure.exitCode.rawValue, code)
    }
  }

  func test_errorMessage_namesTheCommand_andForUsageErrorsItsHelp() {
    XCTAssertEqual(
      command.message(for: .usage(.missingOperand("IN"))),
      "tool: IN is missing (see tool --help)")
    XCTAssertEqual(
      command.message(for: .badData(input: "in.json", reason: "left: missing")),
      "tool: in.json: left: missing")
  }

  func test_unknownOption_suggestsTheNearestOptionOfTheHelp() {
    for (option, nearest) in [
      ("--quite", "--quiet"), ("--output-fromat", "--output-format"),
      ("--max-spl", "--max-output-spl"),
      ("--QUIET", "--quiet"), ("-quiet", "--quiet"), ("--x", nil),
    ] {
      XCTAssertEqual(
        command.message(for: .usage(.unknownOption(option))),
        "tool: unknown option \"\(option)\"\(nearest.map { "; did you mean \($0)?" } ?? "")"
          + " (see tool --help)")
    }
  }

  func test_clockText_showsMinutesSecondsAndHundredths() {
    for (seconds, text) in [
      (0, "0:00.00"), (11.083, "0:11.08"), (59.996, "1:00.00"), (3_725.5, "62:05.50"),
    ] {
      XCTAssertEqual(seconds.clockText, text)
    }
  }
}
