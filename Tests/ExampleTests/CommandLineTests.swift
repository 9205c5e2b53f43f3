import ExampleSupport
import Foundation
import HearingAudio
import HearingProcessing
import TestSupport
import XCTest

/// Tests the conventions that all executables share.
final class CommandLineTests: XCTestCase {
  /// The name of each executable, a misspelled option, and the option that the error message must
  /// suggest.
  private let commands = [
    ("hearing-fit", "--repotr", "--report"), ("hearing-live", "--chanels", "--channels"),
    ("hearing-render", "--quite", "--quiet"), ("pass-thru", "--bist", "--bits"),
    ("piece-box", "--libary", "--library"), ("session-tour", "--hepl", "--help"),
    ("voice-chat", "--upling", "--uplink"),
  ]

  func test_help_ofEveryCommand_hasLinesOfAtMost100Characters() throws {
    let folder = try ScratchFolder()
    for (name, _, _) in commands {
      let outcome = try BuiltExecutable(name).run(["--help"], in: folder.url)
      XCTAssertEqual(outcome.exitCode, 0, name)
      XCTAssertEqual(outcome.errors, "", name)
      for word in [name, "--help", "--version", "Exit codes"] {
        XCTAssertTrue(outcome.output.contains(word), "\(name): \(word)")
      }
      for line in outcome.output.split(separator: "\n") {
        XCTAssertLessThanOrEqual(line.count, 100, "\(name): \(line)")
      }
      XCTAssertFalse(outcome.output.contains("a session is active"), "the tour does not run")
    }
  }

  func test_help_ofEveryCommand_alignsAllOptionDescriptionsInOneColumn() throws {
    let folder = try ScratchFolder()
    for (name, _, _) in commands {
      let help = try BuiltExecutable(name).run(["--help"], in: folder.url).output
      let lines = help.split(separator: "\n").map(Array.init)
      let options = lines.indices.filter { lines[$0].starts(with: "  --") }
      XCTAssertGreaterThanOrEqual(options.count, 2, name)
      // The help text lists --version as the last option of every command.
      let column = try XCTUnwrap(Self.column(lines[options[options.count - 1]]), name)
      for index in options {
        // If the name of an option is too long, the description of the option begins on the next
        // line.
        let found = Self.column(lines[index]) ?? lines[index + 1].prefix { $0 == " " }.count
        XCTAssertEqual(found, column, "\(name): \(String(lines[index]))")
      }
    }
  }

  /// The column at which the description of an option begins. Two spaces precede the description.
  /// The result is nil if the line contains no description.
  private static func column(_ line: [Character]) -> Int? {
    line.indices.first { $0 > 3 && line[$0] != " " && line[$0 - 1] == " " && line[$0 - 2] == " " }
  }

  func test_help_ofHearingLive_indentsAllControlCommandsEqually() throws {
    let folder = try ScratchFolder()
    let help = try BuiltExecutable("hearing-live").run(["--help"], in: folder.url).output
    let lines = help.split(separator: "\n")
    for command in ["intensity 0…1", "enabled on|off", "interrupt NAME", "levels", "help"] {
      XCTAssertTrue(lines.contains("  \(command)"), command)
    }
  }

  func test_hexadecimalNumber_isRejected() throws {
    let folder = try ScratchFolder()
    for (name, arguments) in [
      ("hearing-render", ["--full-scale-spl", "0x64"]), ("voice-chat", ["--tail", "0X1"]),
    ] {
      let outcome = try BuiltExecutable(name).run(arguments, in: folder.url)
      XCTAssertEqual(outcome.exitCode, 64, name)
      XCTAssertTrue(
        outcome.errors.contains("\"\(arguments[1])\" is not a number"), "\(name): \(outcome.errors)"
      )
    }
  }

  func test_versionOption_printsThePackageVersion() throws {
    let folder = try ScratchFolder()
    for (name, _, _) in commands {
      let outcome = try BuiltExecutable(name).run(["--version"], in: folder.url)
      XCTAssertEqual(outcome.exitCode, 0, name)
      XCTAssertEqual(outcome.output, "\(name) \(ProcessingController.packageVersion)\n")
    }
  }

  func test_unknownOption_exitsWith64_andSuggestsTheNearestOption() throws {
    let folder = try ScratchFolder()
    for (name, option, nearest) in commands {
      let outcome = try BuiltExecutable(name).run([option], in: folder.url)
      XCTAssertEqual(outcome.exitCode, 64, name)
      XCTAssertEqual(outcome.output, "", name)
      XCTAssertEqual(
        outcome.errors,
        "\(name): unknown option \"\(option)\"; did you mean \(nearest)? (see \(name) --help)\n")
    }
  }

  func test_progressBar_isShownOnATerminal_andRemovedAtTheEnd() throws {
    let folder = try ScratchFolder()
    let samples = [[Float](repeating: 0.01, count: 8_000)]
    let format = WAVFormat(sampleRate: 8_000, channelCount: 1, encoding: .float32)
    try Data(WAVWriter.bytes(of: samples, format: format))
      .write(to: folder.url.appendingPathComponent("in.wav"))
    for name in ["far", "other"] {
      try FileManager.default.copyItem(
        atPath: folder.path("in.wav"), toPath: folder.path("\(name).wav"))
    }
    for (name, arguments) in [
      ("hearing-render", "in.wav out.wav --rule nal-r --full-scale-spl 100"),
      ("piece-box", "drop in.wav --title t"),
      (
        "voice-chat",
        "--mic in.wav --far far.wav --other other.wav --playback play.wav --uplink up.wav"
      ),
    ] {
      let terminal = try Terminal()
      let exitCode = try BuiltExecutable(name).run(
        arguments.split(separator: " ").map(String.init), in: folder.url,
        errors: terminal.handle)
      XCTAssertEqual(exitCode, 0, name)
      let text = try terminal.finish()
      XCTAssertTrue(text.contains("█") && text.contains("%"), "\(name): \(text)")
      let end = try XCTUnwrap(text.components(separatedBy: "\u{1B}[2K").last)
      XCTAssertFalse(end.contains("%"), "\(name) removes the bar at the end")
    }
  }

  func test_invalidValue_isQuotedInTheError_withTheExpectedForm() throws {
    let folder = try ScratchFolder()
    let call = "--mic a --far b --other c --playback d --uplink e --mute soon"
    for (name, arguments, reason) in [
      (
        "hearing-render", "in.wav out.wav --preset-url x",
        "--preset-url: \"x\" is not a URL with a host"
      ),
      ("voice-chat", call, "--mute: \"soon\" is not START:END in seconds, such as 1.5:3"),
      ("hearing-live", "--send live", "a command such as \"intensity 0.5\" is missing"),
      ("hearing-live", "--rate 48.5", "--rate: \"48.5\" is not a whole number"),
    ] {
      let words = arguments.split(separator: " ").map(String.init)
      let outcome = try BuiltExecutable(name).run(words, in: folder.url)
      XCTAssertEqual(outcome.exitCode, 64, name)
      XCTAssertEqual(outcome.errors, "\(name): \(reason) (see \(name) --help)\n")
    }
  }

  func test_unknownCommandOfPieceBox_isNamed_withASuggestion() throws {
    let folder = try ScratchFolder()
    for (command, hint) in [
      ("foo", "the commands are drop, list, show, open, export"),
      ("exprot", "did you mean export?"),
    ] {
      let outcome = try BuiltExecutable("piece-box").run([command], in: folder.url)
      XCTAssertEqual(outcome.exitCode, 64)
      XCTAssertTrue(outcome.errors.contains("unknown command \"\(command)\"; \(hint)"))
    }
  }
}

/// A pseudo-terminal that records the output of a program.
private final class Terminal {
  /// The program writes to this end of the pseudo-terminal.
  let handle: FileHandle
  private let reader: OtherThread
  private let received = Recorder<UInt8>()

  struct Failure: Error {
    let code: Int32
  }

  init() throws {
    let reading = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    guard reading >= 0, let name = Self.name(of: reading),
      case let writing = open(name, O_RDWR | O_NOCTTY), writing >= 0
    else { throw Failure(code: errno) }
    handle = FileHandle(fileDescriptor: writing, closeOnDealloc: false)
    reader = OtherThread { [received] in
      var buffer = [UInt8](repeating: 0, count: 4_096)
      // After the last writer has closed the terminal, reading fails.
      while case let count = read(reading, &buffer, buffer.count), count > 0 {
        for byte in buffer[..<count] { received.record(byte) }
      }
      close(reading)
    }
  }

  /// Unlocks the pseudo-terminal and returns the path at which a program can open it.
  private static func name(of descriptor: Int32) -> String? {
    #if canImport(Darwin)
      guard grantpt(descriptor) == 0, unlockpt(descriptor) == 0 else { return nil }
      return ptsname(descriptor).map { String(cString: $0) }
    #else
      // Swift's Glibc module does not contain `grantpt`, `unlockpt` and `ptsname`. Therefore the
      // code below uses the ioctl requests TIOCSPTLCK and TIOCGPTN.
      var lock: Int32 = 0
      var number: Int32 = 0
      guard ioctl(descriptor, UInt(0x4004_5431), &lock) == 0,
        ioctl(descriptor, UInt(0x8004_5430), &number) == 0
      else { return nil }
      return "/dev/pts/\(number)"
    #endif
  }

  /// Closes the terminal and returns all text that the program wrote.
  func finish() throws -> String {
    try handle.close()
    reader.join()
    return String(decoding: received.events, as: UTF8.self)
  }
}
