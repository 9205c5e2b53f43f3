import Foundation
import HearingFitting
import TestSupport
import XCTest

/// Runs `hearing-live` and checks its commands and events.
final class HearingLiveControlTests: XCTestCase {
  /// A running program that accepts commands.
  private struct Live {
    struct Missing: Error {
      let event: String
    }

    let folder: ScratchFolder
    let program: RunningExecutable
    /// The path of the program's socket or named pipe.
    private(set) var controlPath = ""

    init(
      _ arguments: String = "", format: String = "f32le", control: String = "live"
    ) throws {
      try self.init(arguments, format: format, control: control, in: ScratchFolder())
    }

    init(
      _ arguments: String, format: String = "f32le", control: String, in folder: ScratchFolder
    ) throws {
      self.folder = folder
      let all = "--rate 16000 --channels 1 --format \(format) --slice 64 --events \(arguments)"
      program = try RunningExecutable(
        "hearing-live", all.split(separator: " ").map(String.init) + ["--control", control],
        in: folder.url)
      let path = try XCTUnwrap(try event("started")["control"] as? String)
      controlPath = path.hasPrefix("/") ? path : folder.path(path)
    }

    /// Waits for the next event with this name.
    func event(_ name: String) throws -> [String: Any] {
      while let line = try program.errorLine() {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        let event = try XCTUnwrap(object as? [String: Any], line)
        if event["event"] as? String == name { return event }
      }
      throw Missing(event: name)
    }

    func connect() throws -> ControlConnection { try ControlConnection(controlPath) }
  }

  func test_controlCommands_areAnsweredWithTheirResults() throws {
    let live = try Live("--audiogram N3")
    let connection = try live.connect()
    for (line, answer) in [
      ("intensity 0.5", "ok intensity 0.5: intensity is 0.5"),
      ("intensity 0", "ok intensity 0: intensity is 0.0"),
      ("enabled off", "ok enabled off: enabled is off"),
      ("enabled on", "ok enabled on: enabled is on"),
      ("interrupt Phone call", "ok interrupt Phone call: interrupted"),
      ("interrupt test", "ok interrupt test: interrupted"),
      (
        "enabled off",
        "error enabled off: Processing is interrupted. It can be switched on when the interruption ends."
      ),
      ("resolve test", "ok resolve test: interrupted"),
      ("resolve Phone call", "ok resolve Phone call: not interrupted"),
      ("resolve test", "error resolve test: The session is not interrupted."),
      ("delivery latest", "ok delivery latest: delivery is latest"),
      ("delivery discrete 0.05", "ok delivery discrete 0.05: delivery is discrete 0.05"),
      ("delivery continuous", "ok delivery continuous: delivery is continuous"),
      ("route hearing-device", "ok route hearing-device: interrupted"),
      ("route wired 112", "ok route wired 112: not interrupted"),
      ("route speaker", "ok route speaker: not interrupted"),
    ] { XCTAssertEqual(try connection.ask(line), answer) }
    let rule = try connection.ask("rule nal-r")
    XCTAssertTrue(rule.hasPrefix("ok rule nal-r: preset is "), rule)
    XCTAssertTrue(rule.hasSuffix(", rule nal-r"), rule)
    XCTAssertEqual(try live.program.exitCode(), 0)
  }

  func test_compare_findsThePreferredFineTuning_andWritesThePreset() throws {
    let live = try Live("--audiogram N3 --compare tuned.json")
    let connection = try live.connect()
    let preferred = [0.4, -0.3, 0.6]
    /// The distance between `preferred` and the three numbers in an answer.
    func distance(_ answer: String) throws -> Double {
      let numbers = answer.split { " ,:;".contains($0) }.compactMap { Double($0) }
      XCTAssertEqual(numbers.count, 3, answer)
      return zip(numbers, preferred).reduce(0) { $0 + abs($1.0 - $1.1) }
    }
    var answer = ""
    var count = 0
    while !answer.contains("done") {
      let first = try distance(try connection.ask("hear first"))
      let second = try distance(try connection.ask("hear second"))
      // The second setting is active, so `prefer` without an argument chooses it.
      answer = try connection.ask(first < second ? "prefer first" : "prefer")
      count += 1
      XCTAssertTrue(answer.hasPrefix("ok prefer"), answer)
      guard count < 12, answer.hasPrefix("ok prefer") else { break }
    }
    XCTAssertLessThanOrEqual(count, 12)
    XCTAssertTrue(answer.hasSuffix("; tuned.json written"), answer)
    for command in ["hear first", "prefer"] {
      XCTAssertEqual(
        try connection.ask(command), "error \(command): the comparison is over")
    }
    let preset = try Preset(json: live.folder.data("tuned.json"))
    for (value, expected) in zip(
      [
        preset.fineTuning.loudness, preset.fineTuning.brightness, preset.fineTuning.crispness,
      ], preferred)
    {
      XCTAssertLessThanOrEqual(abs(value - expected) * FineTuning.maximumChange, 2)
    }
    let original = try Fitting.techLevel(3).preset(for: HearingProfile(left: .n3, right: .n3))
    var untuned = preset
    untuned.fineTuning = .none
    XCTAssertEqual(untuned, original)
    XCTAssertEqual(try live.program.exitCode(), 0)
  }

  func test_compareThatIsNotFinished_endsWithAWarning_andWritesNoFile() throws {
    let live = try Live("--audiogram N3 --compare tuned.json")
    XCTAssertTrue(try live.connect().ask("prefer second").hasPrefix("ok prefer second: answer 1"))
    try live.program.closeInput()
    XCTAssertEqual(
      try live.event("warning")["text"] as? String,
      "the comparison is not finished; tuned.json is not written")
    XCTAssertEqual(try live.program.exitCode(), 0)
    XCTAssertFalse(try live.folder.names().contains("tuned.json"))
  }

  func test_tuning_isApplied_andInvalidTuningOrCompareCommandsFail() throws {
    let live = try Live("--audiogram N3")
    let connection = try live.connect()
    for (line, answer) in [
      (
        "tuning 0.5 -0.25 0", "ok tuning 0.5 -0.25 0: loudness 0.5, brightness -0.25, crispness 0.0"
      ),
      ("tuning 2 0 0", "error tuning 2 0 0: loudness: 2 is outside -1 to 1"),
      ("tuning 1", "error tuning 1: tuning takes three numbers"),
      ("hear first", "error hear first: hear needs --compare"),
      ("prefer third", "error prefer third: \"third\" is not one of first, second, same"),
    ] { XCTAssertEqual(try connection.ask(line), answer) }
    XCTAssertEqual(try live.program.exitCode(), 0)
    let folder = try ScratchFolder()
    let stream = ["--rate", "16000", "--channels", "1", "--format", "f32le"]
    for (arguments, words, code) in [
      (["--compare", "t.json"], "--compare needs --audiogram or --preset", 64),
      (["--compare", "no/t.json", "--audiogram", "N3"], "no/t.json", 73),
    ] as [([String], String, Int32)] {
      let outcome = try BuiltExecutable("hearing-live").run(stream + arguments, in: folder.url)
      XCTAssertEqual(outcome.exitCode, code)
      XCTAssertTrue(outcome.errors.contains(words), outcome.errors)
    }
  }

  func test_presetCommand_appliesThePresetFile_orReportsTheError() throws {
    let live = try Live()
    let connection = try live.connect()
    XCTAssertEqual(
      try connection.ask("rule nal-r"),
      "error rule nal-r: a rule needs an audiogram (--audiogram)")
    let ear = try EarPreset(frequencies: [1_000], gains: [20])
    let preset = Preset(left: ear, right: ear)
    try preset.jsonData().write(to: live.folder.url.appendingPathComponent("a preset.json"))
    XCTAssertEqual(
      try connection.ask("preset a preset.json"),
      "ok preset a preset.json: preset is \(preset.id), rule none")
    XCTAssertEqual(
      try connection.ask("preset none.json"),
      "error preset none.json: \"none.json\": no such file")
    XCTAssertEqual(mkfifo(live.folder.path("pipe"), 0o600), 0)
    XCTAssertEqual(
      try connection.ask("preset pipe"), "error preset pipe: pipe: is a stream, not a regular file")
    XCTAssertEqual(try connection.ask("enabled on"), "ok enabled on: enabled is on")
    let levels = try connection.ask("levels")
    let json = try XCTUnwrap(levels.range(of: "ok levels: ")).upperBound
    let object = try JSONSerialization.jsonObject(with: Data(levels[json...].utf8))
    let channels = try XCTUnwrap((object as? [String: Any])?["channels"] as? [[String: Any]])
    XCTAssertEqual(channels.count, 1)
    XCTAssertEqual((channels[0]["gains"] as? [Any])?.count, 10, "the bands at 16 kHz")
    XCTAssertEqual(try live.program.exitCode(), 0)
  }

  func test_presetIntensityAndRouteCommands_changeTheGain() throws {
    let live = try Live()
    let connection = try live.connect()
    let ear = try EarPreset(frequencies: [1_000], gains: [20])
    try Preset(left: ear, right: ear).jsonData().write(
      to: live.folder.url.appendingPathComponent("preset.json"))
    func pass() throws -> (input: Float, output: Float) {
      let samples = (0..<4_096).map { 0.001 * Float(sin(2 * .pi * Double($0) / 16)) }
      let input = samples.withUnsafeBytes { Data($0) }
      try live.program.write(input)
      let output = try live.program.read(input.count)
      let last = output.suffix(64 * 4).withUnsafeBytes { bytes in
        (0..<64).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
      }
      return (samples.suffix(64).max() ?? 0, last.max() ?? 0)
    }
    var levels = try pass()
    XCTAssertEqual(levels.output, levels.input, "not enabled")
    XCTAssertTrue(try connection.ask("preset preset.json").hasPrefix("ok"))
    XCTAssertTrue(try connection.ask("enabled on").hasPrefix("ok"))
    levels = try pass()
    XCTAssertEqual(levels.output / levels.input, 10, accuracy: 0.1)
    XCTAssertTrue(try connection.ask("intensity 0.5").hasPrefix("ok"))
    levels = try pass()
    XCTAssertEqual(levels.output / levels.input, 3.162, accuracy: 0.04)
    XCTAssertTrue(try connection.ask("route hearing-device").hasPrefix("ok"))
    levels = try pass()
    XCTAssertEqual(levels.output, levels.input, "only the hearing device amplifies")
    XCTAssertTrue(try connection.ask("route wired").hasPrefix("ok"))
    levels = try pass()
    XCTAssertEqual(levels.output / levels.input, 3.162, accuracy: 0.04)
    XCTAssertEqual(try live.program.exitCode(), 0)
  }

  func test_routeWithAnyFullScale_neverClipsIntegerSamples() throws {
    for command in [nil, "rule half-gain", "preset preset.json"] {
      let live = try Live("--audiogram N4", format: "s16le")
      let connection = try live.connect()
      let ear = try EarPreset(frequencies: [1_000], gains: [30])
      try Preset(left: ear, right: ear).jsonData().write(
        to: live.folder.url.appendingPathComponent("preset.json"))
      if let command { XCTAssertTrue(try connection.ask(command).hasPrefix("ok")) }
      let samples = (0..<8_192).map { Int16(30_000 * sin(2 * .pi * Double($0) / 16)) }
      let input = samples.withUnsafeBytes { Data($0) }
      func peak() throws -> Int {
        try live.program.write(input)
        let output = try live.program.read(input.count)
        return output.withUnsafeBytes { bytes in
          stride(from: 8_192, to: bytes.count, by: 2).reduce(0) { peak, offset in
            max(peak, Int(bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self).magnitude))
          }
        }
      }
      // With the `half-gain` rule or the preset, the output limit is slightly below the maximum of
      // the sample format. With the default rule, the output limit is lower: it keeps each band
      // below the listener's level of discomfort.
      let minimumPeak = command == nil ? 3_000 : 28_000
      XCTAssertGreaterThan(try peak(), minimumPeak)
      for level in ["90", "60", "104.5", "100"] {
        XCTAssertEqual(
          try connection.ask("route wired \(level)"), "ok route wired \(level): not interrupted")
        XCTAssertGreaterThan(try peak(), minimumPeak, "\(level) dB SPL")
      }
      XCTAssertEqual(
        try connection.ask("route wired 9"),
        "error route wired 9: integers need a full scale of 10…200 dB SPL")
      try live.program.closeInput()
      XCTAssertEqual(try live.event("ended")["clippedSamples"] as? Int, 0)
      XCTAssertEqual(try live.program.exitCode(), 0)
    }
  }

  func test_invalidControlLines_areAnsweredWithErrors() throws {
    let live = try Live()
    let connection = try live.connect()
    for (line, reason) in [
      ("foo", "unknown command \"foo\"; the commands are intensity, enabled"),
      ("intensty 0.5", "unknown command \"intensty\"; did you mean intensity?"),
      ("intensity", "\"\" is not a number"), ("intensity 2", "2 is outside 0…1"),
      ("intensity nan", "nan is outside 0…1"),
      ("intensity 0.5 0.6", "\"0.5 0.6\" is not a number"),
      ("enabled maybe", "not one of on, off"), ("interrupt", "the argument is missing"),
      ("delivery discrete", "not one of continuous"),
      ("delivery discrete -1", "-1 is not a positive number"),
      ("delivery discrete inf", "inf is not a positive number"),
      ("route moon", "\"moon\" is not one of speaker, wired"),
      ("route wired 300", "outside 0…200 dB SPL"), ("route wired 90 1", "at most two arguments"),
      ("rule nal-nl2", "not one of half-gain"), ("levels all", "levels takes no argument"),
      ("preset .", "is a folder"),
    ] {
      let answer = try connection.ask(line)
      XCTAssertTrue(answer.hasPrefix("error \(line): "), answer)
      XCTAssertTrue(answer.contains(reason), answer)
    }
    connection.send([0xFF, 0x00, 0xC0, 0x0A])
    XCTAssertTrue(try XCTUnwrap(connection.answer()).hasPrefix("error "))
    connection.send(Array(repeating: UInt8(ascii: "x"), count: 100_000) + [0x0A])
    XCTAssertEqual(try connection.answer(), "error: a line of more than 8192 bytes")
    connection.send("\n \r\n".utf8)
    XCTAssertEqual(
      try connection.ask("  intensity   0.25 \r"), "ok   intensity   0.25  : intensity is 0.25")
    XCTAssertEqual(try live.program.exitCode(), 0)
  }

  func test_answersToDebouncedCommands_arriveWithTheirResults() throws {
    let live = try Live()
    let connection = try live.connect()
    XCTAssertTrue(try connection.ask("delivery discrete 0.02").hasPrefix("ok"))
    connection.send("intensity 0.1\nintensity 0.2\nintensity 0.3".utf8)
    // The last line has no newline. Therefore the program executes this command only when the input
    // ends.
    connection.finishSending()
    XCTAssertEqual(
      try connection.answer(), "error intensity 0.1: A later value replaced this value.")
    XCTAssertEqual(
      try connection.answer(), "error intensity 0.2: A later value replaced this value.")
    XCTAssertEqual(try connection.answer(), "ok intensity 0.3: intensity is 0.3")
    XCTAssertNil(try connection.answer(), "closed after the last answer")
    XCTAssertEqual(try live.program.exitCode(), 0)
  }

  func test_sendOption_deliversCommands_andPrintsTheAnswers() throws {
    let live = try Live()
    let tool = try BuiltExecutable("hearing-live")
    let both = try tool.run(
      ["--send", "live", "intensity 0.5", "interrupt call"], in: live.folder.url)
    XCTAssertEqual(both.exitCode, 0, both.errors)
    XCTAssertEqual(
      both.output, "ok intensity 0.5: intensity is 0.5\nok interrupt call: interrupted\n")
    let wrong = try tool.run(["--send", "live", "intensity 2", "help"], in: live.folder.url)
    XCTAssertEqual(wrong.exitCode, 65)
    XCTAssertTrue(wrong.errors.contains("2 is outside 0…1"), wrong.errors)
    XCTAssertTrue(wrong.output.hasPrefix("ok help: intensity 0…1; enabled on|off; "), wrong.output)
    let nobody = try tool.run(["--send", "nowhere", "help"], in: live.folder.url)
    XCTAssertEqual(nobody.exitCode, 66)
    XCTAssertTrue(
      nobody.errors.contains("does a hearing-live run with --control nowhere?"), nobody.errors)
    for arguments in [["--send", "live"], ["--send", "live", "help", "--rate", "8000"]] {
      XCTAssertEqual(try tool.run(arguments, in: live.folder.url).exitCode, 64)
    }
    XCTAssertEqual(try live.program.exitCode(), 0)
  }

  func test_sendOption_toANamedPipe_explainsHowToWriteToThePipe() throws {
    let live = try Live(control: "-")
    let outcome = try BuiltExecutable("hearing-live").run(
      ["--send", live.controlPath, "help"], in: live.folder.url)
    XCTAssertEqual(outcome.exitCode, 66)
    XCTAssertTrue(
      outcome.errors.contains("is a named pipe; write commands to it, such as echo help > "),
      outcome.errors)
    XCTAssertEqual(try live.program.exitCode(), 0)
  }

  func test_sendOption_printsEveryAnswer_evenAfterAnError() throws {
    let live = try Live()
    let outcome = try BuiltExecutable("hearing-live").run(
      ["--send", "live", "enabled maybe", "intensity half", "intensitty 0.5", "intensity 0.3"],
      in: live.folder.url)
    XCTAssertEqual(outcome.exitCode, 65)
    XCTAssertEqual(outcome.output, "ok intensity 0.3: intensity is 0.3\n")
    let errors = outcome.errors.split(separator: "\n").map(String.init)
    guard errors.count == 4 else { return XCTFail(outcome.errors) }
    for (line, start) in zip(
      errors,
      [
        "error enabled maybe: ", "error intensity half: ", "error intensitty 0.5: ",
        "hearing-live: ",
      ])
    {
      XCTAssertTrue(line.hasPrefix(start), line)
    }
    XCTAssertEqual(errors[3], "hearing-live: live: 3 of 4 commands failed")
    XCTAssertEqual(try live.program.exitCode(), 0)
  }

  func test_sendOption_countsCommandsWithoutAnAnswer_asFailed() throws {
    let live = try Live()
    let message = try RunningExecutable(
      "hearing-live", ["--send", "live", "delivery discrete 100", "intensity 0.5"],
      in: live.folder.url)
    let answer = "ok delivery discrete 100: delivery is discrete 100.0\n"
    XCTAssertEqual(try message.read(answer.utf8.count), Data(answer.utf8))
    live.program.send(signal: SIGKILL)
    XCTAssertEqual(
      try message.errorLine(), "hearing-live: live: 1 of 2 commands failed, 1 without an answer")
    XCTAssertEqual(try message.exitCode(), 65)
  }

  func test_sendOption_printsTheRefusal_ifThereAreTooManyClients() throws {
    let live = try Live()
    let connections = try (0..<32).map { _ in try live.connect() }
    let outcome = try BuiltExecutable("hearing-live").run(
      ["--send", "live", "help", "levels"], in: live.folder.url)
    XCTAssertEqual(outcome.exitCode, 65)
    XCTAssertEqual(
      outcome.errors,
      "error: too many clients\n"
        + "hearing-live: live: 2 of 2 commands failed, 1 without an answer\n")
    XCTAssertTrue(try connections[31].ask("levels").hasPrefix("ok levels"))
    XCTAssertEqual(try live.program.exitCode(), 0)
  }

  func test_interruptionByARoute_isReportedWithAPlainTextReason() throws {
    let live = try Live("--audiogram N3")
    let connection = try live.connect()
    _ = try connection.ask("route hearing-device")
    var event = try live.event("interrupted")
    while event["value"] as? Bool == false { event = try live.event("interrupted") }
    XCTAssertEqual(event["reasons"] as? [String], ["route hearing-device"])
    XCTAssertEqual(try live.program.exitCode(), 0)
  }

  func test_debouncedCommands_areAnsweredAtTheEnd_andTheSocketIsRemoved() throws {
    let live = try Live()
    let connection = try live.connect()
    XCTAssertTrue(try connection.ask("delivery discrete 3600").hasPrefix("ok"))
    connection.send("intensity 0.1\n".utf8)
    let other = try live.connect()
    // The program does not report that a command is waiting. Therefore the test only gives the
    // program time to read the command.
    for _ in 0..<100 {
      _ = try other.ask("levels")
      usleep(2_000)
    }
    XCTAssertTrue(try live.folder.names().contains("live"))
    live.program.send(signal: SIGINT)
    XCTAssertEqual(
      try connection.answer(), "error intensity 0.1: The session has ended. Activate a new one.")
    XCTAssertNil(try connection.answer())
    XCTAssertNil(try other.answer())
    XCTAssertEqual(try live.program.exitCode(), 0)
    XCTAssertEqual(try live.folder.names(), [])
  }

  func test_twoClients_shareTheSession_evenIfOneDisconnects() throws {
    let live = try Live()
    let first = try live.connect()
    let second = try live.connect()
    XCTAssertTrue(try first.ask("interrupt call").hasPrefix("ok"))
    XCTAssertEqual(
      try second.ask("enabled on"),
      "error enabled on: Processing is interrupted. It can be switched on when the interruption ends."
    )
    first.send("intensity 0.5".utf8)
    first.finishSending()
    XCTAssertEqual(try first.answer(), "ok intensity 0.5: intensity is 0.5")
    XCTAssertNil(try first.answer())
    XCTAssertEqual(try second.ask("resolve call"), "ok resolve call: not interrupted")
    XCTAssertEqual(try live.program.exitCode(), 0)
  }

  func test_socketPath_isRejectedIfInUse_andReplacedIfNoProgramListens() throws {
    let live = try Live()
    let arguments = [
      "--rate", "16000", "--channels", "1", "--format", "u8", "--control",
    ]
    let tool = try BuiltExecutable("hearing-live")
    let busy = try tool.run(arguments + ["live"], in: live.folder.url)
    XCTAssertEqual(busy.exitCode, 73)
    XCTAssertTrue(busy.errors.contains("another program listens there"), busy.errors)
    try live.folder.write("mine", to: "file")
    let file = try tool.run(arguments + ["file"], in: live.folder.url)
    XCTAssertEqual(file.exitCode, 73)
    XCTAssertEqual(try live.folder.data("file"), Data("mine".utf8))
    let nowhere = try tool.run(arguments + ["no/folder"], in: live.folder.url)
    XCTAssertEqual(nowhere.exitCode, 73)
    let long = try tool.run(
      arguments + [String(repeating: "x", count: 200)], in: live.folder.url)
    XCTAssertEqual(long.exitCode, 73)
    // A killed program does not delete its socket. The next program must replace this socket.
    live.program.send(signal: SIGKILL)
    XCTAssertEqual(try live.program.exitCode(), -SIGKILL)
    XCTAssertTrue(try live.folder.names().contains("live"))
    let next = try Live("", control: "live", in: live.folder)
    XCTAssertTrue(try next.connect().ask("levels").hasPrefix("ok"))
    XCTAssertEqual(try next.program.exitCode(), 0)
  }

  func test_namedPipe_acceptsCommands_andAnswersOnStandardError() throws {
    let folder = try ScratchFolder()
    XCTAssertEqual(mkfifo(folder.path("pipe"), 0o600), 0)
    for control in ["pipe", "-"] {
      let live = try Live("", control: control, in: folder)
      // Two writers open the pipe, one after the other.
      for intensity in ["0.5", "0.75"] {
        let writer = try XCTUnwrap(FileHandle(forWritingAtPath: live.controlPath))
        try writer.write(contentsOf: Data("intensity \(intensity)\n".utf8))
        try writer.close()
        XCTAssertEqual(
          try live.event("answer")["text"] as? String,
          "ok intensity \(intensity): intensity is \(intensity)")
      }
      XCTAssertEqual(try live.program.exitCode(), 0)
      XCTAssertEqual(
        FileManager.default.fileExists(atPath: live.controlPath), control == "pipe",
        "its own pipe is removed")
    }
  }

  func test_events_arePrintedAsLinesOfJSON() throws {
    let live = try Live("--audiogram N3")
    let connection = try live.connect()
    var event = try live.event("preset")
    XCTAssertEqual(event["rule"] as? String, "comfortable-speech")
    _ = try connection.ask("intensity 0.3")
    repeat { event = try live.event("intensity") } while event["value"] as? Double == 1
    XCTAssertEqual(event["value"] as? Double, 0.3)
    _ = try connection.ask("interrupt call")
    repeat { event = try live.event("interrupted") } while event["value"] as? Bool == false
    XCTAssertEqual(event["reasons"] as? [String], ["call"])
    try live.program.write(Data(count: 1_024 + 3))
    _ = try live.program.read(1_024)
    try live.program.closeInput()
    event = try live.event("ended")
    XCTAssertEqual(event["frame"] as? Int, 256)
    XCTAssertEqual(event["reason"] as? String, "the input ended")
    XCTAssertEqual(event["strayBytes"] as? Int, 3)
    XCTAssertEqual(try live.program.exitCode(), 0)
  }

  func test_slicesThatAreTooLarge_areReportedAsAnEvent() throws {
    let folder = try ScratchFolder()
    let program = try RunningExecutable(
      "hearing-live",
      ["--rate", "16000", "--channels", "1", "--format", "u8", "--slice", "6000", "--events"],
      in: folder.url)
    try program.write(Data(count: 12_000))
    _ = try program.read(12_000)
    var lines: [String] = []
    while let line = try program.errorLine() {
      lines.append(line)
      if line.contains("slicesTooLarge") { break }
    }
    XCTAssertEqual(
      lines.last, "{\"event\":\"slicesTooLarge\",\"frame\":0,\"frames\":6000}")
    XCTAssertEqual(try program.exitCode(), 0)
  }
}
