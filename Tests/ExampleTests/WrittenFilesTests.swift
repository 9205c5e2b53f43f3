import Foundation
import HearingFitting
import TestSupport
import XCTest

/// Tests the messages that all executables print about files.
final class WrittenFilesTests: HearingRenderTestCase {
  func test_presetPassedAsAudiogram_isRejected_andThePresetOptionIsSuggested() throws {
    let folder = try ScratchFolder()
    let preset = try Fitting.techLevel(2).preset(for: HearingProfile(left: .n3, right: .n3))
    try folder.write(String(decoding: preset.jsonData(), as: UTF8.self), to: "p.json")
    try writeTone(1000, amplitudes: [0.1], to: folder.path("in.wav"))
    let stream = ["--rate", "48000", "--channels", "1", "--format", "s16le"]
    for (name, arguments, hasPreset) in [
      ("hearing-fit", ["p.json"], true),
      ("hearing-render", ["in.wav", "out.wav", "--audiogram", "p.json"], true),
      ("hearing-live", stream + ["--audiogram", "p.json"], true),
      ("piece-box", ["drop", "in.wav", "--title", "A", "--audiogram", "p.json"], false),
      (
        "pass-thru",
        ["--rate", "44100", "--bits", "16", "--max-duration", "9", "--audiogram", "p.json"], false
      ),
    ] {
      let outcome = try BuiltExecutable(name).run(arguments, in: folder.url)
      XCTAssertEqual(outcome.exitCode, 65, name)
      XCTAssertEqual(
        outcome.errors,
        "\(name): p.json: it is a preset, not a hearing profile"
          + (hasPreset ? "; use --preset p.json\n" : "\n"))
    }
  }

  func test_everyWrittenFile_isNamedInTheOutput() throws {
    let folder = try ScratchFolder()
    try writeTone(1000, amplitudes: [0.1], to: folder.path("in.wav"))
    let rendering = try run(
      [
        "in.wav", "out.wav", "--compare", "before.wav", "--trace", "t.csv", "--report", "r.html",
      ], in: folder)
    XCTAssertEqual(rendering.exitCode, 0, rendering.errors)
    for words in [
      "in.wav → out.wav\n", "compare before.wav", "\nt.csv written\n", "\nr.html written\n",
    ] {
      XCTAssertTrue(rendering.output.contains(words), rendering.output)
    }
    XCTAssertFalse(rendering.output.contains("--compare"), rendering.output)
    let silent = try run(["in.wav", "out.wav", "--report", "r.html"], in: folder).output
    let hint = "Add --compare BEFORE.wav, and the page plays the sound before and after."
    XCTAssertTrue(silent.contains("\nr.html written\n\(hint)\n"), silent)
    XCTAssertTrue(String(decoding: try folder.data("r.html"), as: UTF8.self).contains(hint))
    let box = try BuiltExecutable("piece-box")
    let id = try box.run(["drop", "in.wav", "--title", "A"], in: folder.url).output
      .trimmingCharacters(in: .newlines)
    XCTAssertEqual(
      try box.run(["export", id, "mix.wav"], in: folder.url).output, "mix.wav written\n")
    let inputs = ["--mic", "in.wav", "--far", "in.wav", "--other", "in.wav"]
    let call = try BuiltExecutable("voice-chat").run(
      inputs + ["--playback", "p.wav", "--uplink", "u.wav", "--events", "e.jsonl"], in: folder.url)
    XCTAssertTrue(
      call.output.hasSuffix("\np.wav written\nu.wav written\ne.jsonl written\n"), call.output)
    XCTAssertFalse(call.output.contains("\n\n"), call.output)
    let refused = try BuiltExecutable("voice-chat").run(
      inputs + ["--playback", "p.wav", "--uplink", "u.mp3"], in: folder.url)
    XCTAssertEqual(refused.exitCode, 64)
    XCTAssertTrue(
      refused.errors.contains("--uplink: \"u.mp3\" is named like MP3; only WAV is written"),
      refused.errors)
    let test = try BuiltExecutable("hearing-test").run(
      [
        "--simulate", "N3", "--frequencies", "1000", "--save", "s.json", "--out", "p.json",
        "--report", "t.html", "--seed", "1", "--quiet",
      ], in: folder.url)
    XCTAssertTrue(
      test.output.hasSuffix("\ns.json written\np.json written\nt.html written\n"), test.output)
  }

  func test_mp3PassedToPieceBox_isRejected_withTheCommandThatConvertsIt() throws {
    let folder = try ScratchFolder()
    try folder.write("ID3" + String(repeating: "\u{1}", count: 20), to: "a.mp3")
    let outcome = try BuiltExecutable("piece-box").run(
      ["drop", "a.mp3", "--title", "A"], in: folder.url)
    XCTAssertEqual(
      outcome.errors,
      "piece-box: a.mp3: it is MP3, not WAV; convert it: ffmpeg -i \"a.mp3\" \"a.wav\"\n")
  }
}
