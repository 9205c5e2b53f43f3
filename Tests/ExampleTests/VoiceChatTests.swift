import Foundation
import HearingAudio
import SignalTestSupport
import TestSupport
import XCTest

/// Runs `voice-chat`.
final class VoiceChatTests: XCTestCase {
  private let rate = 8_000

  private func run(
    _ options: [String] = [], in folder: ScratchFolder
  ) throws -> BuiltExecutable.Outcome {
    let files = [
      "--mic", "mic.wav", "--far", "far.wav", "--other", "other.wav", "--playback", "out.wav",
      "--uplink", "up.wav",
    ]
    return try BuiltExecutable("voice-chat").run(files + options, in: folder.url)
  }

  private func write(
    _ samples: [[Float]], rate: Int? = nil, to name: String, in folder: ScratchFolder
  ) throws {
    let format = WAVFormat(
      sampleRate: rate ?? self.rate, channelCount: samples.count, encoding: .float32)
    try Data(WAVWriter.bytes(of: samples, format: format))
      .write(to: folder.url.appendingPathComponent(name))
  }

  private func read(_ name: String, in folder: ScratchFolder) throws -> [[Float]] {
    try WAVReader(path: folder.path(name)).readSamples()
  }

  /// Writes one file each for the microphone, the far voice and other audio. The files have
  /// different lengths and contain no speech.
  private func makeCall() throws -> ScratchFolder {
    let folder = try ScratchFolder()
    try write([Signals.tone(300, rate: Double(rate), seconds: 0.25)], to: "mic.wav", in: folder)
    try write([Signals.tone(500, rate: Double(rate), seconds: 0.5)], to: "far.wav", in: folder)
    let other = [700.0, 900].map { Signals.tone($0, rate: Double(rate), seconds: 0.375) }
    try write(other, to: "other.wav", in: folder)
    return folder
  }

  private struct Event: Decodable, Equatable {
    var t: Double
    var event: String
    var side: String?
    var state: String?
    var gain: Double?
  }

  private func events(_ folder: ScratchFolder) throws -> [Event] {
    try String(decoding: folder.data("events.jsonl"), as: UTF8.self).split(separator: "\n").map {
      try JSONDecoder().decode(Event.self, from: Data($0.utf8))
    }
  }

  func test_playback_equalsTheFarVoicePlusTheDuckedOtherAudio() throws {
    for (options, amount) in [
      ([], 10.0), (["--ducking", "min"], 3), (["--ducking", "default"], 10),
      (["--ducking=mid"], 14), (["--ducking", "max"], 20), (["--advanced"], 2.5),
      (["--advanced", "--ducking", "max"], 5),
    ] as [([String], Double)] {
      let folder = try makeCall()
      let outcome = try run(options, in: folder)
      XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
      XCTAssertEqual(outcome.errors, "")
      let far = try read("far.wav", in: folder)[0]
      let other = try read("other.wav", in: folder)
      let playback = try read("out.wav", in: folder)
      let ratio = Float(pow(10, -amount / 20))
      XCTAssertEqual(playback.count, 2)
      for channel in 0..<2 {
        XCTAssertEqual(playback[channel].count, far.count)
        for frame in far.indices {
          let lowered = frame < other[channel].count ? ratio * other[channel][frame] : 0
          XCTAssertEqual(playback[channel][frame], far[frame] + lowered, accuracy: 1e-6)
        }
      }
      XCTAssertEqual(try read("up.wav", in: folder).map(\.count), [far.count])
    }
  }

  func test_uplink_whileMuted_isDigitalSilence() throws {
    let folder = try ScratchFolder()
    try write([Signals.tone(300, rate: Double(rate), seconds: 2)], to: "mic.wav", in: folder)
    try write([[]], to: "far.wav", in: folder)
    try write([[]], to: "other.wav", in: folder)
    // Some of the muted time spans touch, and some overlap. They are not in chronological order.
    let outcome = try run(
      ["--mute", "1.5:1.75", "--mute", "0:0.25", "--mute", "1:1.5", "--mute=1.2:1.3"], in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    let uplink = try read("up.wav", in: folder)[0]
    let microphone = try read("mic.wav", in: folder)[0]
    XCTAssertEqual(uplink.count, 16_000)
    // A fade lasts 15 ms, which is 120 frames at 8 kHz.
    for frame in uplink.indices {
      switch frame {
      case 0..<2_000, 8_120..<14_000: XCTAssertEqual(uplink[frame], 0, "\(frame)")
      case 2_120..<8_000, 14_120...:
        XCTAssertEqual(uplink[frame], microphone[frame], accuracy: 1e-4, "\(frame)")
      default: XCTAssertLessThan(abs(uplink[frame]), 0.101)
      }
    }
  }

  func test_eventsFile_beginsWithTheDuckingGain() throws {
    let folder = try makeCall()
    XCTAssertEqual(try run(["--events", "events.jsonl"], in: folder).exitCode, 0)
    XCTAssertEqual(try events(folder).first, Event(t: 0, event: "ducking", gain: -10))
  }

  func test_nearSpeech_isReportedAsVoiceActivity_andAsMutedTalkerWhileMuted() throws {
    guard let speech = try Recording.speech(rate: rate) else {
      throw XCTSkip("the recording is missing in this copy of the package")
    }
    let folder = try ScratchFolder()
    let silence = [Float](repeating: 0, count: rate)
    let words = Array(speech.prefix(2 * rate))
    try write([silence + words + silence + silence + words], to: "mic.wav", in: folder)
    try write([[]], to: "far.wav", in: folder)
    try write([[]], to: "other.wav", in: folder)
    let outcome = try run(
      ["--advanced", "--mute", "0.5:4.5", "--events", "events.jsonl"], in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    let events = try events(folder)
    let muted = events.filter { $0.event == "mutedTalker" }
    XCTAssertEqual(muted.map { $0.state }, ["started", "ended"])
    let voices = events.filter { $0.event == "voiceActivity" }
    XCTAssertEqual(Set(voices.map { $0.side }), ["near"])
    XCTAssertEqual(voices.prefix(3).map { $0.state }, ["started", "ended", "started"])
    let gains = events.filter { $0.event == "ducking" }.map { $0.gain }
    XCTAssertEqual(gains.prefix(4), [-2.5, -10, -2.5, -10])
    XCTAssertTrue(events.allSatisfy { (0...8).contains($0.t) })
  }

  func test_bypassMode_sendsTheMicrophoneUnchanged_withOneFileForAllInputs() throws {
    let folder = try makeCall()
    let files = [
      "--mic", "mic.wav", "--far", "mic.wav", "--other", "mic.wav", "--playback", "out.wav",
      "--uplink", "up.wav", "--mode", "bypass",
    ]
    let outcome = try BuiltExecutable("voice-chat").run(files, in: folder.url)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    XCTAssertEqual(try read("up.wav", in: folder), try read("mic.wav", in: folder))
    for line in ["level of speech", "near voice 0 %", "microphone lowered by more than 10 dB: 0 %"]
    {
      XCTAssertTrue(outcome.output.contains(line), outcome.output)
    }
  }

  func test_modeOptions_areAccepted_andTheUplinkIsFinite() throws {
    let folder = try makeCall()
    for options in [
      ["--mode", "voice-isolation"], ["--mode=wide-spectrum", "--gain", "on"],
      ["--mode", "standard", "--noise-suppression", "0.25", "--gain=off"],
      ["--tail", "0.128", "--delay", "0.22"],
    ] {
      let outcome = try run(options, in: folder)
      XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
      XCTAssertTrue(try read("up.wav", in: folder)[0].allSatisfy(\.isFinite))
    }
  }

  func test_report_isASelfContainedPage_withSpectrogramsOfMicrophoneAndUplink() throws {
    let folder = try makeCall()
    let outcome = try run(
      ["--mode", "standard", "--mute", "0:9", "--report", "page.html"], in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    let page = String(decoding: try folder.data("page.html"), as: UTF8.self)
    for text in [
      "<!DOCTYPE html>", "width=device-width", "prefers-color-scheme:dark", ">Before</text>",
      ">After</text>", "class=\"hp-tone-11\"", "mode standard", "noise suppression: 0.5 of 1",
    ] {
      XCTAssertTrue(page.contains(text), text)
    }
    // The page has two layouts, and each layout marks the muted time once. The muted time is not
    // shown as suppressed sound.
    XCTAssertEqual(page.components(separatedBy: ">Muted</text>").count, 3)
    XCTAssertFalse(page.contains(">Silent</text>"))
    XCTAssertTrue(page.contains("lowered by more than 10 dB: 0 % of the time it was sent"))
    XCTAssertTrue(page.contains("muted for 0.5 s (0–0.5 s)"), page)
    // The figures in the summary on the page equal the figures on the terminal.
    for line in outcome.output.split(separator: "\n") where !line.hasSuffix(" written") {
      XCTAssertTrue(page.contains("<li>\(line)</li>"), String(line))
    }
    // The page loads nothing from other files or servers.
    XCTAssertFalse(page.contains("src=") || page.contains("href=") || page.contains("<script"))
  }

  func test_report_describesTalkOfBothSides_muting_ducking_andLostTalk() throws {
    guard let speech = try Recording.speech(rate: rate) else {
      throw XCTSkip("the recording is missing in this copy of the package")
    }
    let folder = try ScratchFolder()
    let words = Array(speech.prefix(3 * rate))
    let pause = [Float](repeating: 0, count: 2 * rate)
    try write([words + pause + words, words + pause + words], to: "mic.wav", in: folder)
    try write([pause + pause + words], to: "far.wav", in: folder)
    let music = Signals.tone(700, amplitude: 0.01, rate: Double(rate), seconds: 8)
    try write([music], to: "other.wav", in: folder)
    func sentences(_ options: [String]) throws -> (page: String, output: String) {
      let outcome = try run(
        ["--advanced", "--report", "page.html"] + options, in: folder)
      XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
      return (String(decoding: try folder.data("page.html"), as: UTF8.self), outcome.output)
    }
    let call = try sentences(["--mode", "standard", "--mute", "5:6.5"])
    for text in [
      ">Talk at this end</text>", ">Talk at the other end</text>", ">Microphone muted</text>",
      ">Other audio lowered</text>", ">10 dB</text>", "At this end somebody talked 2 times",
      "At the other end somebody talked once", "muted for 1.5 s (5–6.5 s)",
      "Somebody talked into the muted microphone: 5.", "Other audio was lowered by up to 10 dB",
      "No talk of this end was lost.", "Echo: ",
    ] {
      XCTAssertTrue(call.page.contains(text), text)
    }
    for pattern in [
      #"At this end somebody talked 2 times, [\d.]+ s in all: [\d.]+–[\d.]+ s, [\d.]+–[\d.]+ s\."#,
      #"At the other end somebody talked once, [\d.]+ s in all: [\d.]+–[\d.]+ s\."#,
      #"lowered by up to 10 dB: by 10 dB at [\d.]+–[\d.]+ s.*; otherwise by 2.5 dB\."#,
    ] {
      XCTAssertNotNil(call.page.range(of: pattern, options: .regularExpression), pattern)
    }
    XCTAssertFalse(call.page.contains("1 times") || call.page.contains("changed"), call.page)
    // In the key of the diagram, each amount of attenuation has its own shade and its own text.
    for depth in [">2.5 dB</text>", "class=\"hp-tone-6\""] {
      XCTAssertTrue(call.page.contains(depth), depth)
    }
    XCTAssertTrue(call.output.contains("near-end speech lost: 0 %"), call.output)
    XCTAssertTrue(call.output.contains("muted 19 % of the time"), call.output)
  }

  func test_report_showsHowMuchNearSpeechWasLost_andWhen() throws {
    guard let speech = try Recording.speech(rate: rate) else {
      throw XCTSkip("the recording is missing in this copy of the package")
    }
    let folder = try ScratchFolder()
    let far = Array(speech.prefix(10 * rate))
    // From 2 to 4 s, the near talker speaks. From 4 to 5 s, the echo is ten times as loud as
    // before. The echo canceller did not expect so much echo. It suppresses this signal, and the
    // report counts it as lost near-end speech.
    let microphone = far.indices.map { index -> Float in
      let time = Double(index) / Double(rate)
      let near = (2..<4).contains(time) ? speech[(index + 4 * rate) % speech.count] : 0
      return ((4..<5).contains(time) ? 1 : 0.1) * far[index] + near
    }
    try write([microphone], to: "mic.wav", in: folder)
    try write([far], to: "far.wav", in: folder)
    try write([[]], to: "other.wav", in: folder)
    let outcome = try run(["--mode=wide-spectrum", "--report", "page.html"], in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    let percent = try percentLost(outcome.output)
    XCTAssertTrue((10...40).contains(percent), outcome.output)
    let page = String(decoding: try folder.data("page.html"), as: UTF8.self)
    XCTAssertTrue(page.contains("\(percent) % was lost, because it left more than 10 dB softer"))
    XCTAssertTrue(page.contains("than it came: 4"), "from 4 to 5 s")
    XCTAssertFalse(page.contains("Talk of this end that was lost: never"))
  }

  /// The far voice and a DC offset of the microphone must not change the result. The far voice is
  /// on the left, on the right, or on both sides with the offset. The offset is as loud as the
  /// speech.
  func test_nearSpeechLost_stereoFarVoiceAndOffset_haveNoEffect() throws {
    guard let speech = try Recording.speech(rate: rate) else {
      throw XCTSkip("the recording is missing in this copy of the package")
    }
    let far = Array(speech.prefix(10 * rate))
    let silence = [Float](repeating: 0, count: far.count)
    let echo = Array(repeating: 0, count: rate / 20) + far.dropLast(rate / 20).map { 0.3 * $0 }
    let microphone = echo.indices.map { index in
      echo[index] + (index > 7 * rate ? speech[(index + 4 * rate) % speech.count] : 0)
    }
    for (channels, offset) in [([far, silence], Float(0)), ([silence, far], 0), ([far], 0.1)] {
      let folder = try ScratchFolder()
      try write([microphone.map { $0 + offset }], to: "mic.wav", in: folder)
      try write(channels, to: "far.wav", in: folder)
      try write([[]], to: "other.wav", in: folder)
      let outcome = try run(["--mode", "standard"], in: folder)
      XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
      XCTAssertTrue(outcome.output.contains("near-end speech lost: 0 %"), outcome.output)
      XCTAssertTrue(outcome.output.contains("far talk alone: "), outcome.output)
    }
  }

  /// The last seconds of this call contain only near-end speech. Therefore the echo cannot be
  /// measured at the end.
  func test_summary_callThatEndsWithNearSpeech_usesTheEarlierMeasurementOfTheEcho() throws {
    guard let speech = try Recording.speech(rate: rate) else {
      throw XCTSkip("the recording is missing in this copy of the package")
    }
    let folder = try ScratchFolder()
    let voice = (0..<20 * rate).map { speech[$0 % speech.count] }
    let far = voice.indices.map { $0 % (10 * rate) < 6 * rate ? voice[$0] : 0 }
    let echo = Array(repeating: 0, count: rate / 20) + far.map { 0.3 * $0 }
    let near = voice.indices.map { $0 % (10 * rate) < 6 * rate ? 0 : voice[$0] }
    try write([zip(near, echo).map { $0 + $1 }], to: "mic.wav", in: folder)
    try write([far], to: "far.wav", in: folder)
    try write([[]], to: "other.wav", in: folder)
    let outcome = try run(["--mode", "linear"], in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    XCTAssertTrue(outcome.output.contains("No talk of this end was lost."), outcome.output)
    XCTAssertTrue(outcome.output.contains("echo: present, 10"), outcome.output)
  }

  /// The number in the line "near-end speech lost: … %".
  private func percentLost(_ output: String) throws -> Int {
    let start = "near-end speech lost: "
    let line = try XCTUnwrap(output.split(separator: "\n").first { $0.hasPrefix(start) })
    return try XCTUnwrap(Int(line.dropFirst(start.count).dropLast(2)))
  }

  func test_farTalkAlone_sampleRateNotAMultipleOf100_hasTheCorrectTime() throws {
    for rate in [11_025, 22_050] {
      let folder = try ScratchFolder()
      for name in ["mic.wav", "far.wav"] {
        let tone = Signals.tone(500, rate: Double(rate), seconds: 40)
        try write([tone], rate: rate, to: name, in: folder)
      }
      try write([[]], rate: rate, to: "other.wav", in: folder)
      let outcome = try run(["--mode", "bypass"], in: folder)
      XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
      XCTAssertTrue(outcome.output.contains("far talk alone: 0:40.00"), outcome.output)
    }
  }

  func test_summary_manyShortMutes_countsOnlyTheMutedTime() throws {
    let folder = try ScratchFolder()
    try write([Signals.tone(300, rate: Double(rate), seconds: 10)], to: "mic.wav", in: folder)
    for name in ["far.wav", "other.wav"] { try write([[]], to: name, in: folder) }
    let mutes = (0..<20).flatMap { ["--mute", "\(0.5 * Double($0)):\(0.5 * Double($0) + 0.05)"] }
    let outcome = try run(mutes, in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    XCTAssertTrue(outcome.output.contains("muted for 1 s"), outcome.output)
    XCTAssertTrue(outcome.output.contains("muted 10 % of the time"), outcome.output)
  }

  func test_nearSpeechLost_gainControlOfALoudTalkerAfterASoftTalker_isNoLoss() throws {
    guard let speech = try Recording.speech(rate: rate) else {
      throw XCTSkip("the recording is missing in this copy of the package")
    }
    let folder = try ScratchFolder()
    let soft = speech.prefix(10 * rate).map { 0.3 * $0 }
    let peak = try XCTUnwrap(speech.map(abs).max())
    try write([soft + speech.prefix(4 * rate).map { $0 / peak * 3 }], to: "mic.wav", in: folder)
    for name in ["far.wav", "other.wav"] { try write([[]], to: name, in: folder) }
    let outcome = try run(["--mode", "standard"], in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    XCTAssertLessThanOrEqual(try percentLost(outcome.output), 3, outcome.output)
  }

  func test_echoStrength0_leavesMoreResidualEchoThanTheDefault() throws {
    guard let speech = try Recording.speech(rate: rate) else {
      throw XCTSkip("the recording is missing in this copy of the package")
    }
    let folder = try ScratchFolder()
    let words = Array(speech.prefix(4 * rate))
    // The loudspeaker clips. Therefore the echo canceller alone cannot remove the echo.
    try write([words.map { 0.3 * min(max($0, -0.08), 0.08) }], to: "mic.wav", in: folder)
    try write([words], to: "far.wav", in: folder)
    try write([[]], to: "other.wav", in: folder)
    func power(_ options: [String]) throws -> Double {
      let outcome = try run(["--mode=wide-spectrum"] + options, in: folder)
      XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
      XCTAssertTrue(outcome.output.contains("echo: present, 13"), outcome.output)
      return Signals.power(try read("up.wav", in: folder)[0].dropFirst(rate))
    }
    XCTAssertGreaterThan(try power(["--echo-strength", "0"]), 10 * (try power([])))
  }

  func test_stereoMicrophone_at96kHz_isMixedToMono() throws {
    let folder = try ScratchFolder()
    let tone = Signals.sine(300, rate: 96_000, count: 9_600)
    try write([tone, tone.map { 0.5 * $0 }], rate: 96_000, to: "mic.wav", in: folder)
    for name in ["far.wav", "other.wav"] { try write([[]], rate: 96_000, to: name, in: folder) }
    let outcome = try run(["--mode", "bypass"], in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors)
    let uplink = try read("up.wav", in: folder)
    XCTAssertEqual(uplink.count, 1)
    for (sent, sample) in zip(uplink[0], tone) {
      XCTAssertEqual(sent, 0.75 * sample, accuracy: 1e-6)
    }
  }

  func test_help_namesTheOptions() throws {
    let folder = try ScratchFolder()
    let outcome = try BuiltExecutable("voice-chat").run(["--help"], in: folder.url)
    XCTAssertEqual(outcome.exitCode, 0)
    for word in [
      "--mic", "--far", "--other", "--playback", "--uplink", "--mute", "--events", "--mode",
      "--tail", "--report", "--echo-strength",
    ] {
      XCTAssertTrue(outcome.output.contains(word), word)
    }
  }

  func test_invalidOptions_printOneErrorLine_andLeaveNoFiles() throws {
    let cases: [([String], Int32, String)] = [
      (["--mute", "3"], 64, "START:END"), (["--mute", "a:b"], 64, "START:END"),
      (["--mute", "3:1"], 64, "START before END"), (["--mute", "-1:1"], 64, "START before END"),
      (["--mute", "0:inf"], 64, "START before END"), (["--mute", "nan:1"], 64, "START before END"),
      (["--ducking", "loud"], 64, "loud"), (["--ducking"], 64, "--ducking"),
      (["--mode", "loud"], 64, "wide-spectrum"), (["--tail", "1"], 64, "0.064"),
      (["--delay", "0.6"], 64, "--delay"), (["--noise-suppression", "2"], 64, "0…1"),
      (["--gain", "up"], 64, "on"), (["--echo-strength", "2"], 64, "0…1"),
      (["--uplink=mic.wav"], 64, "--uplink"),
      (["--advanced=yes"], 64, "--advanced"), (["--loud"], 64, "--loud"), (["more"], 64, "more"),
      (["--mic", "mic.wav"], 64, "--mic"), (["--events", "mic.wav"], 64, "same file"),
      (["--events", "none/events.jsonl"], 73, "none/events.jsonl"),
      (["--report", "mic.wav"], 64, "same file"),
      (["--report", "none/page.html"], 73, "none/page.html"),
    ]
    for (options, code, word) in cases {
      let folder = try makeCall()
      let before = try folder.names()
      let outcome = try run(options, in: folder)
      XCTAssertEqual(outcome.exitCode, code, "\(options): \(outcome.errors)")
      XCTAssertEqual(outcome.errorLines.count, 1, "\(options): \(outcome.errors)")
      XCTAssertTrue(outcome.errors.contains(word), "\(options): \(outcome.errors)")
      XCTAssertEqual(outcome.output, "", "\(options)")
      XCTAssertEqual(try folder.names(), before, "\(options)")
    }
  }

  func test_unusableFiles_printOneErrorLine_andLeaveNoOutput() throws {
    let sound = Signals.tone(300, rate: Double(rate), seconds: 0.1)
    let cases: [(String, (ScratchFolder) throws -> Void, Int32, String)] = [
      (
        "another rate", { try self.write([sound], rate: 16_000, to: "far.wav", in: $0) }, 65,
        "far.wav"
      ),
      (
        "another rate", { try self.write([sound], rate: 44_100, to: "other.wav", in: $0) }, 65,
        "44100 Hz"
      ),
      (
        "unsupported rate",
        { folder in
          for name in ["mic.wav", "far.wav", "other.wav"] {
            try self.write([sound], rate: 192_000, to: name, in: folder)
          }
        }, 65, "96000"
      ),
      (
        "three channels", { try self.write([sound, sound, sound], to: "other.wav", in: $0) }, 65,
        "3 channels"
      ),
      (
        "three microphones", { try self.write([sound, sound, sound], to: "mic.wav", in: $0) }, 65,
        "3 channels"
      ),
      ("no sound", { try $0.write("speech", to: "mic.wav") }, 65, "mic.wav"),
      (
        "no file",
        { try FileManager.default.removeItem(atPath: $0.path("far.wav")) }, 66, "far.wav"
      ),
    ]
    for (name, spoil, code, word) in cases {
      let folder = try makeCall()
      try spoil(folder)
      let outcome = try run(in: folder)
      XCTAssertEqual(outcome.exitCode, code, "\(name): \(outcome.errors)")
      XCTAssertEqual(outcome.errorLines.count, 1, "\(name): \(outcome.errors)")
      XCTAssertTrue(outcome.errors.contains(word), "\(name): \(outcome.errors)")
      XCTAssertFalse(try folder.names().contains("out.wav"))
      XCTAssertFalse(try folder.names().contains("up.wav"))
    }
  }

  func test_truncatedFile_isProcessedWithAWarning() throws {
    let folder = try makeCall()
    try folder.data("far.wav").dropLast(4_000)
      .write(to: folder.url.appendingPathComponent("far.wav"))
    let outcome = try run(in: folder)
    XCTAssertEqual(outcome.exitCode, 0)
    XCTAssertTrue(outcome.errors.contains("far.wav"), outcome.errors)
    XCTAssertEqual(try read("out.wav", in: folder)[0].count, 3_000)
  }
}

/// The speech recording of `hearing-render`, at a lower sample rate.
private enum Recording {
  static func speech(rate: Int) throws -> [Float]? {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let path = package.appendingPathComponent("Examples/hearing-render/Resources/speech.wav").path
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let reader = try WAVReader(path: path)
    let samples = try reader.readSamples()[0]
    let factor = reader.format.sampleRate / rate
    // Averaging adjacent samples suppresses aliasing sufficiently for this test.
    return stride(from: 0, to: samples.count - factor, by: factor).map { start in
      samples[start..<start + factor].reduce(0, +) / Float(factor)
    }
  }
}
