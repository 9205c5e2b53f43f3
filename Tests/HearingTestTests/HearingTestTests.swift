import Foundation
import HearingAudio
import HearingAudiometry
import HearingFitting
import TestSupport
import XCTest

/// Runs the command `hearing-test` with the arguments and the input of a user.
final class HearingTestTests: XCTestCase {
  private let tool = try? BuiltExecutable("hearing-test")

  private func run(
    _ arguments: [String], in folder: ScratchFolder, input: String = ""
  ) throws -> BuiltExecutable.Outcome {
    try XCTUnwrap(tool).run(arguments, in: folder.url, input: Data(input.utf8))
  }

  func test_simulatedListener_producesProfileReportAndExplanation() throws {
    let folder = try ScratchFolder()
    let outcome = try run(
      [
        "--simulate", "N3", "--frequencies", "500,1000,2000,4000", "--out", "profile.json",
        "--report", "page.html", "--quiet",
      ], in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    XCTAssertEqual(outcome.errors, "")
    let profile = try HearingProfile(json: folder.data("profile.json"))
    for ear in Ear.allCases {
      let audiogram = try XCTUnwrap(profile[ear])
      XCTAssertEqual(audiogram.points.map(\.frequency), [500, 1000, 2000, 4000])
      for point in audiogram.points {
        XCTAssertEqual(
          point.threshold, Audiogram.n3.threshold(at: point.frequency), accuracy: 15)
      }
    }
    XCTAssertNotNil(profile.measuredAt)
    XCTAssertEqual(profile.record?.procedure, "bayesian")
    XCTAssertEqual(profile.record?.notes, [])
    let page = String(decoding: try folder.data("page.html"), as: UTF8.self)
    for part in ["How it was measured", "Range, right in 9 of 10 cases", "does not replace"] {
      XCTAssertTrue(page.contains(part), part)
    }
    XCTAssertTrue(outcome.output.contains("This is no diagnosis"))
    XCTAssertTrue(outcome.output.contains("1000"))
    XCTAssertTrue(outcome.output.contains("A program answered the test, not a person."))
    XCTAssertTrue(page.contains("A simulated hearing test"))
    XCTAssertTrue(page.contains("Simulated: a program answered the hearing test"))
    XCTAssertFalse(page.contains("Measured by the listener"))
  }

  func test_equalSeeds_printEqualResults() throws {
    let folder = try ScratchFolder()
    let options = ["--simulate", "S1", "--frequencies", "1000,4000", "--seed", "4"]
    let first = try run(options, in: folder)
    XCTAssertEqual(first.exitCode, 0, first.errors)
    XCTAssertEqual(try run(options, in: folder).output, first.output)
    for method in ["hughson-westlake", "modified-hughson-westlake"] {
      XCTAssertEqual(try run(options + ["--method", method], in: folder).exitCode, 0)
    }
  }

  func test_resume_withADamagedOrNewerState_exitsWith65_andPrintsOneErrorLine() throws {
    let folder = try ScratchFolder()
    let options = ["--simulate", "N2", "--quiet"]
    let saved = try run(options + ["--frequencies", "1000", "--save", "state.json"], in: folder)
    XCTAssertEqual(saved.exitCode, 0, saved.errors)
    let data = try folder.data("state.json")
    try folder.write(
      String(decoding: data, as: UTF8.self)
        .replacingOccurrences(of: "\"version\" : 1", with: "\"version\" : 3"), to: "later.json")
    try data.prefix(data.count / 2).write(to: folder.url.appendingPathComponent("half.json"))
    for name in ["later.json", "half.json"] {
      let outcome = try run(options + ["--resume", name], in: folder)
      XCTAssertEqual(outcome.exitCode, 65)
      XCTAssertEqual(outcome.errorLines.count, 1, outcome.errors)
    }
    XCTAssertEqual(try run(options + ["--resume", "none.json"], in: folder).exitCode, 66)
    XCTAssertEqual(try folder.data("half.json"), data.prefix(data.count / 2))
  }

  func test_resume_withOptionsOfANewTest_exitsWith64() throws {
    let folder = try ScratchFolder()
    for option in [
      ["--method", "bayesian"], ["--first-ear", "left"], ["--frequencies", "1000"],
      ["--calibration", "headphone.json"],
    ] {
      let outcome = try run(["--simulate", "N2", "--resume", "state.json"] + option, in: folder)
      XCTAssertEqual(outcome.exitCode, 64)
      XCTAssertTrue(outcome.errors.contains(option[0]), outcome.errors)
    }
  }

  func test_calibration_inTheFormatOfTheHelp_isAccepted_andInvalidValuesAreRejected() throws {
    let folder = try ScratchFolder()
    let help = try run(["--help"], in: folder).output
    let begin = try XCTUnwrap(help.range(of: "{\"format\"")).lowerBound
    let end = try XCTUnwrap(help.range(of: "}]}")).upperBound
    let calibration = String(help[begin..<end])
    try folder.write(calibration, to: "good.json")
    try folder.write(calibration.replacingOccurrences(of: "112", with: "512"), to: "loud.json")
    XCTAssertTrue(help.contains("set the volume so that speech is comfortable"), help)
    XCTAssertTrue(help.split(separator: "\n").allSatisfy { $0.count <= 105 }, help)
    try folder.write(
      calibration.replacingOccurrences(of: "\"version\": 1", with: "\"version\": 2"),
      to: "later.json")
    try folder.write(
      calibration.replacingOccurrences(of: "\"frequency\": 2000", with: "\"frequency\": 2500"),
      to: "gap.json")
    let options = ["--simulate", "N2", "--quiet", "--out", "profile.json", "--calibration"]
    let printed = try run(options + ["good.json"], in: folder)
    XCTAssertEqual(printed.exitCode, 0, "at all frequencies: \(printed.errors)")
    for (name, frequency, exitCode, reason) in [
      ("good.json", "1000", Int32(0), ""), ("gap.json", "2000", 65, "2000.0 Hz"),
      ("loud.json", "1000", 65, "512.0 dB SPL"), ("later.json", "1000", 65, "newer"),
    ] {
      let outcome = try run(options + [name, "--frequencies", frequency], in: folder)
      XCTAssertEqual(outcome.exitCode, exitCode, outcome.errors)
      XCTAssertEqual(outcome.errorLines.count, exitCode == 0 ? 0 : 1)
      if !reason.isEmpty { XCTAssertTrue(outcome.errors.contains(reason), outcome.errors) }
    }
    let profile = try HearingProfile(json: folder.data("profile.json"))
    XCTAssertEqual(profile.record?.headphone, "HDA 200 at 80 %")
  }

  func test_invalidArguments_exitWith64_andPrintOneErrorLine() throws {
    let folder = try ScratchFolder()
    for arguments in [
      [], ["--simulate", "N3", "--play", "cat", "--keys"], ["--play", "cat"], ["--keys"],
      ["--simulate", "N3", "--method", "guess"], ["--simulate", "N3", "--frequencies", "1100"],
      ["--play", "cat", "--keys", "--report", "a.html"], ["--simulate", "N3", "more"],
      ["--simulate", "N3", "--out", "a", "--report", "a"],
    ] {
      let outcome = try run(arguments, in: folder)
      XCTAssertEqual(outcome.exitCode, 64, "\(arguments) \(outcome.errors)")
      XCTAssertEqual(outcome.errorLines.count, 1)
    }
    XCTAssertEqual(try run(["--simulate", "nobody.json"], in: folder).exitCode, 66)
    XCTAssertTrue(try run(["--help"], in: folder).output.contains("--simulate N3|FILE"))
  }

  func test_digits_withoutRecordings_exitsWith66() throws {
    let folder = try ScratchFolder()
    let outcome = try run(["--simulate", "N1", "--digits", "."], in: folder)
    XCTAssertEqual(outcome.exitCode, 66)
    XCTAssertTrue(outcome.errors.contains("none are shipped"), outcome.errors)
  }

  func test_digits_withASimulatedListener_printASpeechReceptionThreshold() throws {
    let folder = try ScratchFolder()
    for digit in 0...9 {
      let tone = (0..<800).map { Float(0.1 * sin(Double($0 * (digit + 3)) / 20)) }
      let format = WAVFormat(sampleRate: 8_000, channelCount: 1, encoding: .float32)
      try Data(try WAVWriter.bytes(of: [tone], format: format))
        .write(to: folder.url.appendingPathComponent("\(digit).wav"))
    }
    let outcome = try run(
      ["--simulate", "N1", "--digits", ".", "--save", "state.json"], in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    XCTAssertTrue(outcome.output.hasPrefix("speech reception threshold: -"), outcome.output)
    XCTAssertEqual(try DigitsInNoiseTest(json: folder.data("state.json")).answers.count, 24)
  }
}
