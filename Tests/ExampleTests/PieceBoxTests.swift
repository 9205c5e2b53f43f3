import Foundation
import HearingAudio
import HearingFitting
import TestSupport
import XCTest

/// Runs `piece-box`.
final class PieceBoxTests: XCTestCase {
  private let tool = try? BuiltExecutable("piece-box")

  private func run(
    _ arguments: [String], in folder: ScratchFolder
  ) throws -> BuiltExecutable.Outcome {
    try XCTUnwrap(tool).run(arguments, in: folder.url)
  }

  /// Writes a tone of 0.5 s at a sample rate of 8 kHz.
  @discardableResult
  private func writeTone(to name: String = "in.wav", in folder: ScratchFolder) throws -> Data {
    let tone = (0..<4_000).map { Float(0.01 * sin(2 * .pi * 1_000 * Double($0) / 8_000)) }
    let format = WAVFormat(sampleRate: 8_000, channelCount: 1, encoding: .float32)
    let data = Data(try WAVWriter.bytes(of: [tone], format: format))
    try data.write(to: folder.url.appendingPathComponent(name))
    return data
  }

  private func copyCover(to folder: ScratchFolder) throws {
    let covers = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../HearingPiecesTests/Resources/Covers")
    for name in ["gray.png", "half.png"] {
      try Data(contentsOf: covers.appendingPathComponent(name))
        .write(to: folder.url.appendingPathComponent(name))
    }
  }

  private func dropped(
    _ options: [String], in folder: ScratchFolder, line: UInt = #line
  ) throws -> String {
    let outcome = try run(["drop", "in.wav", "--title", "Rain on tin"] + options, in: folder)
    XCTAssertEqual(outcome.exitCode, 0, outcome.errors, line: line)
    let id = outcome.output.trimmingCharacters(in: .newlines)
    let library = options.firstIndex(of: "--library").map { options[$0 + 1] } ?? "./pieces"
    XCTAssertEqual(outcome.errors, "piece-box: \(library)/\(id) written\n", line: line)
    XCTAssertTrue(FileManager.default.fileExists(atPath: folder.path("\(library)/\(id)")))
    return id
  }

  /// The fields in the output of the command `show`.
  private func fields(_ text: String) -> [String: String] {
    var fields: [String: String] = [:]
    for line in text.split(separator: "\n") {
      fields[line.prefix(14).trimmingCharacters(in: .whitespaces)] = String(line.dropFirst(14))
    }
    return fields
  }

  func test_droppedPiece_canBeListedShownOpenedAndExported() throws {
    let folder = try ScratchFolder()
    let sound = try writeTone(in: folder)
    try copyCover(to: folder)
    try folder.write("notes", to: "notes.txt")
    let first = try dropped([], in: folder)
    let id = try dropped(
      [
        "--tempo", "120.5", "--loop", "0.1", "0.4", "--time-signature", "6/8", "--root", "4",
        "--scale", "major", "--cover", "gray.png", "--attachment", "notes.txt",
        "--attachment-type", "text/plain", "--based-on", "\(first),elsewhere",
      ], in: folder)
    let list = try run(["list"], in: folder)
    XCTAssertEqual(list.exitCode, 0)
    let rows = list.output.split(separator: "\n").map { $0.split(separator: " ") }
    XCTAssertEqual(Set(rows.map { String($0[0]) }), [first, id])
    XCTAssertTrue(list.output.contains("0:00.50  E       Rain on tin"), list.output)
    XCTAssertFalse(list.output.contains("Unknown"), list.output)

    let shown = try run(["show", id], in: folder)
    let known = fields(shown.output)
    let expected = [
      "identifier": id, "title": "Rain on tin", "length": "0:00.50", "tonality": "E",
      "tempo": "120.5 BPM", "loop": "0:00.10 to 0:00.40", "time": "6/8",
      "based on": "\(first), elsewhere", "dropped by": "piece-box",
      "link": "ah-piece-box://piece/\(id)", "mix stem": "\(sound.count) bytes of WAV",
      "cover image": "\(try folder.data("gray.png").count) bytes of PNG",
      "attachment": "5 bytes of text/plain",
    ]
    for (field, value) in expected { XCTAssertEqual(known[field], value) }
    XCTAssertNil(known["preview"])

    let opened = try run(["open", "ah-piece-box://piece/\(id)"], in: folder)
    XCTAssertEqual(opened.exitCode, 0, opened.errors)
    XCTAssertEqual(opened.output, shown.output)

    XCTAssertEqual(try run(["export", id, "out.wav"], in: folder).exitCode, 0)
    XCTAssertEqual(try folder.data("out.wav"), sound)
  }

  func test_exportToAFileNameWithAnotherFormatsExtension_isRejected() throws {
    let folder = try ScratchFolder()
    let sound = try writeTone(in: folder)
    let id = try dropped([], in: folder)
    for (name, format) in [
      ("out.mp3", "MP3"), ("out.OGG", "Ogg Vorbis"), ("out.m4a", "AAC"), ("out.flac", "FLAC"),
    ] {
      let outcome = try run(["export", id, name], in: folder)
      XCTAssertEqual(outcome.exitCode, 64, name)
      XCTAssertTrue(
        outcome.errors.contains(
          "\"\(name)\" is named like \(format), but the sound is WAV; use another extension"),
        outcome.errors)
      XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path(name)))
    }
    for name in ["out.WAV", "out.wave", "out", "out.xyz"] {
      XCTAssertEqual(try run(["export", id, name], in: folder).exitCode, 0, name)
      XCTAssertEqual(try folder.data(name), sound, name)
    }
  }

  func test_dropWithAnAudiogram_rendersAPreview_andKeepsTheMixStem() throws {
    let folder = try ScratchFolder()
    let sound = try writeTone(in: folder)
    let id = try dropped(["--audiogram", "N3", "--loop", "0", "end"], in: folder)
    XCTAssertEqual(try folder.data("pieces/\(id)/mix-stem.wav"), sound)
    let preview = try WAVReader(path: folder.path("pieces/\(id)/preview.wav"))
    XCTAssertEqual(preview.format.channelCount, 2)
    XCTAssertEqual(preview.frameCount, 4_000)
  }

  func test_libraryAndAppIdentifierOptions_setTheFolderAndTheLink() throws {
    let folder = try ScratchFolder()
    try writeTone(in: folder)
    let options = ["--library", "a/b", "--app-id", "Rain", "--api-key", "k"]
    let id = try dropped(options, in: folder)
    let shown = fields(try run(["show", id] + options, in: folder).output)
    XCTAssertEqual(shown["link"], "ah-rain://piece/\(id)")
    XCTAssertEqual(shown["dropped by"], "Rain")
    XCTAssertEqual(try run(["list"], in: folder).output, "")
    XCTAssertEqual(try run(["open", "ah-rain://piece/\(id)"] + options, in: folder).exitCode, 0)
    XCTAssertEqual(
      try run(["open", "ah-piece-box://piece/\(id)"] + options, in: folder).exitCode, 65)
  }

  func test_list_reportsABrokenPiece_andListsTheOthers() throws {
    let folder = try ScratchFolder()
    try writeTone(in: folder)
    let id = try dropped([], in: folder)
    try FileManager.default.createDirectory(
      atPath: folder.path("pieces/half"), withIntermediateDirectories: false)
    let list = try run(["list"], in: folder)
    XCTAssertEqual(list.exitCode, 0)
    XCTAssertEqual(list.output.split(separator: "\n").count, 1)
    XCTAssertTrue(list.output.hasPrefix(id))
    XCTAssertEqual(list.errorLines, ["piece-box: piece \"half\": piece.json: no such file"])
  }

  func test_invalidCommandLine_exitsWith64_andPrintsOneErrorLine() throws {
    let folder = try ScratchFolder()
    try writeTone(in: folder)
    let drop = ["drop", "in.wav", "--title", "t"]
    let calls = [
      [], ["sing"], ["drop"], ["drop", "in.wav"], ["drop", "a", "b", "--title", "t"],
      ["list", "x"], ["list", "--tempo", "5"], ["list", "--format", "wav"], ["show"], ["open"],
      ["export", "x"], ["show", "../x"], ["export", "..", "out.wav"],
      drop + ["--tempo", "0"], drop + ["--tempo", "1000"], drop + ["--tempo", "nan"],
      drop + ["--loop", "0"], drop + ["--loop", "0.4", "0.1"], drop + ["--loop", "0", "0.6"],
      drop + ["--loop", "-1", "0.1"], drop + ["--loop", "0", "x"],
      drop + ["--time-signature", "6"], drop + ["--time-signature", "17/8"],
      drop + ["--time-signature", "6/7"], drop + ["--root", "12", "--scale", "major"],
      drop + ["--root", "4"], drop + ["--scale", "minor"],
      drop + ["--root", "4", "--scale", "dorian"],
      drop + ["--root", "4", "--scale", "major", "--atonal"], drop + ["--based-on", "a,../b"],
      drop + ["--based-on", "a,a"], drop + ["--attachment-type", "text/plain"],
      drop + ["--attachment", "in.wav", "--attachment-type", "text"], drop + ["--volume", "3"],
      drop + ["--title", "again"], ["drop", "in.wav", "--title", " "],
      ["drop", "in.wav", "--title", "a\nb"], drop + ["--app-id", "my app"],
    ]
    for call in calls {
      let outcome = try run(call, in: folder)
      XCTAssertEqual(outcome.exitCode, 64, "\(call): \(outcome.errors)")
      XCTAssertEqual(outcome.errorLines.count, 1, "\(call)")
      XCTAssertTrue(outcome.errors.hasPrefix("piece-box: "), outcome.errors)
      XCTAssertEqual(outcome.output, "")
    }
    XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path("pieces")))
  }

  func test_invalidInput_printsOneErrorLineThatNamesTheInput() throws {
    let folder = try ScratchFolder()
    try writeTone(in: folder)
    try writeTone(to: "short.wav", in: folder)
    XCTAssertEqual(truncate(folder.path("short.wav"), 1_000), 0)
    try folder.write("no sound", to: "text.wav")
    try copyCover(to: folder)
    XCTAssertTrue(FileManager.default.createFile(atPath: folder.path("big"), contents: nil))
    XCTAssertEqual(truncate(folder.path("big"), 30_000_001), 0)
    XCTAssertEqual(mkfifo(folder.path("pipe.wav"), 0o600), 0)
    let id = try dropped([], in: folder)
    let drop = ["drop", "in.wav", "--title", "t"]
    let calls: [([String], Int32, String)] = [
      (["drop", "pipe.wav", "--title", "t"], 65, "stream"),
      (["drop", "nothing.wav", "--title", "t"], 66, "nothing.wav"),
      (["drop", ".", "--title", "t"], 66, "folder"),
      (["drop", "text.wav", "--title", "t"], 65, "text.wav"),
      (["drop", "short.wav", "--title", "t"], 65, "cut short"),
      (drop + ["--cover", "half.png"], 65, "320 × 640"),
      (drop + ["--cover", "in.wav"], 65, "neither PNG nor JPEG"),
      (drop + ["--cover", "nothing.png"], 66, "nothing.png"),
      (drop + ["--attachment", "big"], 65, "30000001"),
      (drop + ["--attachment", "nothing"], 66, "nothing"),
      (drop + ["--audiogram", "N9"], 66, "N9"),
      (drop + ["--library", "in.wav"], 74, "in.wav"),
      (["list", "--library", "in.wav"], 66, "\"in.wav\": is a file, not a folder"),
      (["show", "nothing"], 66, "nothing"),
      (["open", "https://example.com/"], 65, "ah-piece-box://"),
      (["open", "ah-piece-box://song/1"], 65, "not a link to a piece"),
      (["open", "ah-piece-box://piece/nothing"], 66, "nothing"),
      (["export", id, "nowhere/out.wav"], 73, "nowhere"),
      (["export", id, "."], 73, "folder"),
      (["export", id, "exdir/"], 73, "\"exdir/\": is a folder, not a file"),
      (["list", "--library", "peices"], 66, "\"peices\": there is no library"),
      (["export", id, "out.ogg", "--format", "ogg-vorbis"], 64, "ogg-vorbis"),
    ]
    for (call, exitCode, word) in calls {
      let outcome = try run(call, in: folder)
      XCTAssertEqual(outcome.exitCode, exitCode, "\(call): \(outcome.errors)")
      XCTAssertEqual(outcome.errorLines.count, 1, "\(call)")
      XCTAssertTrue(outcome.errors.contains(word), "\(call): \(outcome.errors)")
      XCTAssertEqual(outcome.output, "")
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("pieces"))
    XCTAssertEqual(left, [id])
  }

  func test_help_namesEveryOption() throws {
    let folder = try ScratchFolder()
    for call in [["--help"], ["drop", "-h"]] {
      let outcome = try run(call, in: folder)
      XCTAssertEqual(outcome.exitCode, 0)
      for option in [
        "--title", "--tempo", "--loop", "--time-signature", "--root", "--scale", "--atonal",
        "--based-on", "--cover", "--attachment", "--audiogram", "--library", "--app-id",
        "--api-key", "--format", "drop", "list", "show", "open", "export",
      ] {
        XCTAssertTrue(outcome.output.contains(option), option)
      }
      XCTAssertTrue(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }
  }
}
