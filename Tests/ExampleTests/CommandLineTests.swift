import ExampleSupport
import HearingProcessing
import TestSupport
import XCTest

/// The conventions that all executables share.
final class CommandLineTests: XCTestCase {
  /// An executable with a misspelled option and the option that is meant.
  private let commands = [
    ("hearing-fit", "--repotr", "--report"), ("hearing-live", "--chanels", "--channels"),
    ("hearing-render", "--quite", "--quiet"), ("pass-thru", "--bist", "--bits"),
    ("piece-box", "--libary", "--library"), ("session-tour", "--hepl", "--help"),
    ("voice-chat", "--upling", "--uplink"),
  ]

  func test_help_isPrintedAlone_inLinesOfAtMost100Characters() throws {
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

  func test_version_isThatOfThePackage() throws {
    let folder = try ScratchFolder()
    for (name, _, _) in commands {
      let outcome = try BuiltExecutable(name).run(["--version"], in: folder.url)
      XCTAssertEqual(outcome.exitCode, 0, name)
      XCTAssertEqual(outcome.output, "\(name) \(PackageVersion.current)\n")
    }
  }

  func test_unknownOption_endsWith64_andNamesTheNearest() throws {
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

  func test_unknownCommandOfPieceBox_isCalledThat() throws {
    let folder = try ScratchFolder()
    for (command, hint) in [
      ("foo", "known are drop, list, show, open, export"), ("exprot", "did you mean export?"),
    ] {
      let outcome = try BuiltExecutable("piece-box").run([command], in: folder.url)
      XCTAssertEqual(outcome.exitCode, 64)
      XCTAssertTrue(outcome.errors.contains("unknown command \"\(command)\"; \(hint)"))
    }
  }
}
