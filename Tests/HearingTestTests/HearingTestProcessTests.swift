import Foundation
import HearingAudiometry
import HearingFitting
import TestSupport
import XCTest

/// Stops, kills and resumes the command `hearing-test`. Also ends the player process that it uses.
final class HearingTestProcessTests: XCTestCase {
  // A release build tests more frequencies and kills more processes.
  #if DEBUG
    private static let frequencies = "1000"
    private static let killCount = 4
  #else
    private static let frequencies = "500,1000,2000,4000"
    private static let killCount = 30
  #endif

  private let simulated = ["--simulate", "N2", "--quiet"]
  private let new = ["--frequencies", frequencies]

  /// Keys that have no meaning for the command. There are more keys than it reads.
  private static let otherKeys = Data(repeating: UInt8(ascii: "x"), count: 1_000_000)

  private func run(
    _ arguments: [String], in folder: ScratchFolder, keys: Data = Data()
  ) throws -> BuiltExecutable.Outcome {
    try BuiltExecutable("hearing-test").run(arguments, in: folder.url, input: keys)
  }

  /// The number of answers in a stored test. This function does not validate the file.
  private func answerCount(in folder: ScratchFolder) throws -> Int {
    guard try folder.names().contains("state.json") else { return 0 }
    return String(decoding: try folder.data("state.json"), as: UTF8.self)
      .components(separatedBy: "\"isHeard\"").count - 1
  }

  private func stored(in folder: ScratchFolder) throws -> ToneTest {
    try ToneTest(json: folder.data("state.json"))
  }

  func test_processKilledAfterAnyAnswer_resumesWithAllAnswers() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let folder = try ScratchFolder()
    let whole = try run(simulated + new + ["--save", "whole.json"], in: folder)
    let reference = try ToneTest(json: folder.data("whole.json"))
    XCTAssertEqual(whole.exitCode, 0, whole.errors)
    guard case .finished = reference.next else { return XCTFail("\(reference.next)") }

    var answers: [Int] = []
    for _ in 0..<Self.killCount {
      let given = try answerCount(in: folder)
      let start = given == 0 ? new + ["--save"] : ["--resume"]
      let process = try RunningExecutable(
        "hearing-test", simulated + start + ["state.json"], in: folder.url)
      // Before the first answer, the file does not exist.
      let most = 2 * reference.history.count / Self.killCount
      let further = Int.random(in: 0...most, using: &generator)
      let goal = max(1, given + further)
      try process.wait(until: "\(goal) answers are stored") {
        try process.hasEnded || answerCount(in: folder) >= goal
      }
      process.send(signal: SIGKILL)
      let exitCode = try process.exitCode()
      let test = try stored(in: folder)
      XCTAssertTrue(exitCode == -SIGKILL || exitCode == 0)
      XCTAssertGreaterThanOrEqual(test.history.count, min(goal, reference.history.count))
      XCTAssertEqual(test.history, Array(reference.history.prefix(test.history.count)))
      answers.append(test.history.count)
    }
    let outcome = try run(simulated + ["--resume", "state.json"], in: folder)
    let expected = whole.output.replacingOccurrences(of: "whole.json", with: "state.json")
    XCTAssertEqual(outcome.output, expected)
    XCTAssertTrue(try stored(in: folder) == reference)
    print("killed after \(answers) of \(reference.history.count) answers")
  }

  func test_processStoppedOrKilled_keepsTheAnswerToEveryPlayedSound() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for number in [SIGINT, SIGTERM, SIGKILL] {
      let folder = try ScratchFolder()
      let process = try RunningExecutable(
        "hearing-test",
        [
          "--play", "cat > sound.raw", "--keys", "--frequencies", "1000,4000", "--save",
          "state.json",
        ], in: folder.url)
      let goal = Int.random(in: 3_000_000...6_000_000, using: &generator)
      try process.wait(until: "\(goal) bytes are played") {
        try folder.names().contains("sound.raw") && folder.data("sound.raw").count >= goal
      }
      process.send(signal: number)
      // The end of the standard input would also stop the command. Therefore the standard input
      // stays open until the process has ended.
      try process.wait(until: "it has ended") { process.hasEnded }
      XCTAssertEqual(try process.exitCode(), number == SIGKILL ? -number : 74)
      let played = try folder.data("sound.raw").count
      if number != SIGKILL {
        XCTAssertEqual(
          try process.errorLine(),
          "Press the space bar whenever you hear a tone, however soft. p pauses, q stops.")
        XCTAssertEqual(
          try process.errorLine(),
          "Without a calibration, set the volume so that speech is comfortable, and leave it there."
        )
        for words in ["nominal", "higher volume"] {
          XCTAssertTrue(try process.errorLine()?.contains(words) == true, words)
        }
        XCTAssertEqual(
          try process.errorLine(),
          "hearing-test: cannot write \"the result\": the test was stopped; go on with "
            + "--resume state.json")
      }
      let before = try stored(in: folder)
      guard case .present(let next) = before.next else { return XCTFail("\(before.next)") }
      let answered = before.history.map(\.presentation).map(Self.byteCount).reduce(0, +)
      XCTAssertLessThanOrEqual(played, answered + Self.byteCount(of: next))

      let outcome = try run(["--simulate", "N2", "--resume", "state.json", "--quiet"], in: folder)
      XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
      let after = try stored(in: folder)
      XCTAssertEqual(Array(after.history.prefix(before.history.count)), before.history)
      guard case .finished = after.next else { return XCTFail("not finished") }
    }
  }

  /// The number of bytes of a presentation. The samples have two channels and 32 bits, at 48 kHz.
  private static func byteCount(of presentation: Presentation) -> Int {
    8 * Int((presentation.duration * 48_000).rounded(.up))
  }

  func test_resultFileThatCannotBeCreated_exitsWith73BeforeTheTestBegins() throws {
    let folder = try ScratchFolder()
    for option in ["--out", "--report"] {
      let outcome = try run(
        simulated + new + [option, "missing/result", "--save", "state.json"], in: folder)
      XCTAssertEqual(outcome.exitCode, 73)
      XCTAssertTrue(outcome.errors.contains("missing/result"), outcome.errors)
      XCTAssertEqual(try folder.names(), [])
    }
  }

  func test_newTest_doesNotReplaceAnUnfinishedTest() throws {
    let folder = try ScratchFolder()
    var test = try ToneTest(
      method: .bayesian, frequencies: [1000], calibration: .uncalibrated(), seed: 1)
    try test.answer(.heard, after: .milliseconds(400))
    try test.jsonData().write(to: folder.url.appendingPathComponent("state.json"))
    let refused = try run(simulated + new + ["--save", "state.json"], in: folder)
    XCTAssertEqual(refused.exitCode, 73)
    XCTAssertTrue(refused.errors.contains("under way with 1 answers"), refused.errors)
    XCTAssertTrue(try stored(in: folder) == test)

    XCTAssertEqual(try run(simulated + ["--resume", "state.json"], in: folder).exitCode, 0)
    // If the test in the file is finished, a new test may replace the file.
    XCTAssertEqual(try run(simulated + new + ["--save", "state.json"], in: folder).exitCode, 0)
  }

  func test_player_receivesTheFirstToneAtItsLevel_inTheRightEar() throws {
    let folder = try ScratchFolder()
    let played = try run(
      [
        "--play", "head -c 2000000 > sound.raw; cat > /dev/null", "--keys", "--frequencies",
        "1000", "--save", "state.json",
      ], in: folder, keys: Self.otherKeys)
    XCTAssertEqual(played.exitCode, 0, played.errors)
    XCTAssertTrue(played.output.contains("no response up to 85 dB HL"))
    XCTAssertTrue(played.output.contains("not calibrated"))
    XCTAssertTrue(played.output.contains("The button was never pressed"), played.output)
    XCTAssertFalse(played.output.contains("measured twice"), played.output)
    let samples = try folder.data("sound.raw").withUnsafeBytes {
      Array($0.bindMemory(to: Float.self))
    }
    // The first tone is for the right ear. Its level is 40 dB HL. A sine at full scale has 115 dB
    // SPL.
    let right = stride(from: 1, to: samples.count, by: 2).map { samples[$0] }
    let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    XCTAssertEqual(20 * log10(try XCTUnwrap(right.prefix(200_000).max())), -69.5, accuracy: 0.1)
    XCTAssertEqual(left.prefix(200_000).max(), 0)
  }

  func test_endOfStandardInput_endsTheTestWithoutAResult() throws {
    let folder = try ScratchFolder()
    let player = ["--play", "cat > /dev/null", "--keys", "--frequencies", "1000"]
    // There are enough keys for some tones, but not for all tones.
    for keys in [Data(), Self.otherKeys.prefix(20_000)] {
      let outcome = try run(
        player + ["--out", "profile.json", "--save", "state.json"], in: folder, keys: keys)
      XCTAssertEqual(outcome.exitCode, 66, outcome.errors)
      XCTAssertEqual(outcome.output, "")
      XCTAssertTrue(outcome.errors.contains("standard input"), outcome.errors)
      XCTAssertEqual(try folder.names(), ["state.json"])
      XCTAssertEqual(try stored(in: folder).history.isEmpty, keys.isEmpty)
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("state.json"))
    }
  }

  func test_playerThatExitsEarly_endsTheTestWithTheReason_andKeepsTheAnswers() throws {
    for (player, reason) in [
      ("exit 3", "with exit code 3"), ("kill -9 $$", "by signal 9"),
      ("head -c 3000000 > /dev/null", "with exit code 0"),
      ("no-such-player", "with exit code 127: command not found"),
    ] {
      let folder = try ScratchFolder()
      let ended = try run(
        ["--play", player, "--keys", "--frequencies", "1000,2000", "--save", "state.json"],
        in: folder, keys: Self.otherKeys)
      XCTAssertEqual(ended.exitCode, 74)
      XCTAssertTrue(ended.errors.contains("the player ended \(reason)"), ended.errors)
      let test = try stored(in: folder)
      if player.hasPrefix("head") { XCTAssertGreaterThan(test.history.count, 0) }
      guard case .present = test.next else { return XCTFail("\(test.next)") }
    }
  }
}
