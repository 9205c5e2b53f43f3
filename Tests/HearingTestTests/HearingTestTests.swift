import Foundation
import HearingAudio
import HearingAudiometry
import HearingFitting
import TestSupport
import XCTest

/// The hearing test as a user drives it.
final class HearingTestTests: XCTestCase {
  private let tool = try? BuiltExecutable("hearing-test")

  private func run(
    _ arguments: [String], in folder: ScratchFolder, input: String = ""
  ) throws -> BuiltExecutable.Outcome {
    try XCTUnwrap(tool).run(arguments, in: folder.url, input: Data(input.utf8))
  }

  func test_simulatedListener_isMeasured_reported_andExplained() throws {
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
    for part in ["How it was measured", "Where it lies, 9 times in 10", "does not replace"] {
      XCTAssertTrue(page.contains(part), part)
    }
    XCTAssertTrue(outcome.output.contains("This is no diagnosis"))
    XCTAssertTrue(outcome.output.contains("1000"))
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

  func test_killedBetweenAnyTwoAnswers_goesOnWithAllAnswersGiven() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let folder = try ScratchFolder()
    let options = ["--simulate", "N2", "--frequencies", "1000,4000", "--quiet"]
    let clock = ContinuousClock()
    var whole = ""
    let duration = try clock.measure {
      whole = try run(options + ["--save", "whole.json"], in: folder).output
    }
    let tool = try XCTUnwrap(tool)
    var answers = 0
    var kills = 0
    var isFinished = false
    while !isFinished, kills < 12 {
      let names = try folder.names()
      let start = names.contains("state.json") ? "--resume" : "--save"
      isFinished = try tool.run(
        options + [start, "state.json"], in: folder.url,
        killedAfter: .random(in: 0.1...0.5 * max(duration / .seconds(1), 0.4), using: &generator))
      kills += 1
      guard try folder.names().contains("state.json") else { continue }
      let test = try ToneTest(json: folder.data("state.json"))
      XCTAssertGreaterThanOrEqual(test.trials.count, answers)
      answers = test.trials.count
    }
    let outcome = try run(options + ["--resume", "state.json"], in: folder)
    XCTAssertEqual(outcome.output, whole)
    let states = try ["state.json", "whole.json"].map { try ToneTest(json: folder.data($0)) }
    XCTAssertTrue(states[0] == states[1])
    print("\(kills) runs, \(answers) answers")
  }

  func test_aStateThatIsDamagedOrLater_isToldInOneLine() throws {
    let folder = try ScratchFolder()
    let options = ["--simulate", "N2", "--frequencies", "1000", "--quiet"]
    XCTAssertEqual(try run(options + ["--save", "state.json"], in: folder).exitCode, 0)
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

  func test_wrongUse_isTold() throws {
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

  func test_thePlayerGetsTheSound_andItsEndIsTold() throws {
    let folder = try ScratchFolder()
    let played = try run(
      [
        "--play", "head -c 2000000 > sound.raw; cat > /dev/null", "--keys", "--frequencies", "1000",
      ],
      in: folder)
    XCTAssertEqual(played.exitCode, 0, played.errors)
    XCTAssertTrue(played.output.contains("no response up to 85 dB HL"))
    XCTAssertTrue(played.output.contains("not calibrated"))
    let samples = try folder.data("sound.raw").withUnsafeBytes {
      Array($0.bindMemory(to: Float.self))
    }
    // The first tone is for the right ear, at 40 dB HL below a full scale of 115 dB SPL.
    let right = stride(from: 1, to: samples.count, by: 2).map { samples[$0] }
    let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    XCTAssertEqual(20 * log10(try XCTUnwrap(right.prefix(200_000).max())), -69.5, accuracy: 0.1)
    XCTAssertEqual(left.prefix(200_000).max(), 0)

    let ended = try run(["--play", "exit 3", "--keys", "--save", "state.json"], in: folder)
    XCTAssertEqual(ended.exitCode, 74)
    XCTAssertTrue(ended.errors.contains("the player ended with exit code 3"), ended.errors)
    XCTAssertNoThrow(try ToneTest(json: folder.data("state.json")))
  }

  func test_digits_withoutRecordings_saysThatNoneAreShipped() throws {
    let folder = try ScratchFolder()
    let outcome = try run(["--simulate", "N1", "--digits", "."], in: folder)
    XCTAssertEqual(outcome.exitCode, 66)
    XCTAssertTrue(outcome.errors.contains("none are shipped"), outcome.errors)
  }

  func test_digits_ofASimulatedListener_findTheirThreshold() throws {
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
