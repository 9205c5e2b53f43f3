import Foundation
import TestSupport
import XCTest

/// Runs `pass-thru`.
final class PassThruTests: XCTestCase {
  private func run(
    _ arguments: String, input: Data = Data()
  ) throws -> BuiltExecutable.Outcome {
    let folder = try ScratchFolder()
    return try BuiltExecutable("pass-thru").run(
      arguments.split(separator: " ").map(String.init), in: folder.url, input: input)
  }

  private let noise: Data = {
    var random = SeededGenerator(seed: 3)
    return Data((0..<32_001).map { _ in UInt8.random(in: 112..<144, using: &random) })
  }()

  func test_withoutAudiogram_theOutputEqualsTheInput_andTheEndIsReported() throws {
    for bits in [8, 16] {
      let outcome = try run(
        "--rate 16000 --bits \(bits) --max-duration 60000", input: noise)
      XCTAssertEqual(outcome.exitCode, 0)
      XCTAssertEqual(outcome.outputData, noise)
      XCTAssertEqual(
        outcome.errors,
        bits == 8
          ? "pass-thru: the input ended: 32001 frames, 0:02.00\n"
          : "pass-thru: the input ended: 16000 frames, 0:01.00; "
            + "half a sample at the end was dropped\n")
    }
  }

  func test_maximumDuration_endsTheOutput() throws {
    let outcome = try run("--rate 22050 --bits 16 --max-duration 250", input: noise)
    XCTAssertEqual(outcome.exitCode, 0)
    XCTAssertEqual(outcome.outputData, noise.prefix(2 * 5_512))
    XCTAssertEqual(
      outcome.errors, "pass-thru: the maximum duration was reached: 5512 frames, 0:00.25\n")
  }

  func test_audiogram_amplifiesTheSound() throws {
    let plain = try run("--rate 16000 --bits 8 --max-duration 2000", input: noise)
    let fitted = try run(
      "--rate 16000 --bits 8 --max-duration 2000 --audiogram N3 --ear right", input: noise)
    XCTAssertEqual(fitted.exitCode, 0, fitted.errors)
    XCTAssertEqual(fitted.outputData.count, plain.outputData.count)
    func power(_ data: Data) -> Double {
      data.reduce(0) { $0 + (Double($1) - 128) * (Double($1) - 128) } / Double(data.count)
    }
    XCTAssertGreaterThan(power(fitted.outputData), 4 * power(plain.outputData))
  }

  func test_soundFileInput_isRejectedBeforeAnyOutput() throws {
    for (head, format) in [("RIFF", "a WAV file"), ("ID3\u{4}", "MP3"), ("fLaC", "FLAC")] {
      let outcome = try run(
        "--rate 16000 --bits 8 --max-duration 60000", input: Data(head.utf8) + noise)
      XCTAssertEqual(outcome.exitCode, 65)
      XCTAssertEqual(outcome.outputData, Data())
      XCTAssertEqual(
        outcome.errors,
        "pass-thru: standard input: it is \(format), not raw PCM; convert it: "
          + "ffmpeg -i FILE -f u8 -ar 16000 -ac 1 - | pass-thru …\n")
    }
  }

  func test_invalidArguments_exitWith64_andNameTheArgument() throws {
    for (arguments, text) in [
      ("", "--rate is missing"), ("--rate 8000", "--bits is missing"),
      ("--rate 8000 --bits 8", "--max-duration is missing"),
      (
        "--rate 11025 --bits 8 --max-duration 1",
        "\"11025\" is not one of 8000, 16000, 22050, 44100"
      ),
      ("--rate 8000 --bits 24 --max-duration 1", "\"24\" is not one of 8, 16"),
      ("--rate 8000 --bits 8 --max-duration 0", "0 is outside 1…1000000"),
      ("--rate 8000 --bits 8 --max-duration 1 --ear left", "--ear needs --audiogram"),
      ("--rate 8000 --bits 8 --max-duration 1 here", "\"here\" is one argument too many"),
    ] {
      let outcome = try run(arguments)
      XCTAssertEqual(outcome.exitCode, 64, arguments)
      XCTAssertEqual(outcome.errorLines.count, 1)
      XCTAssertTrue(outcome.errors.contains(text), "\(arguments): \(outcome.errors)")
      XCTAssertEqual(outcome.outputData, Data())
    }
  }

  func test_missingAudiogramFile_exitsWith66WithoutOutput() throws {
    let outcome = try run(
      "--rate 8000 --bits 8 --max-duration 10 --audiogram nowhere.json", input: noise)
    XCTAssertEqual(outcome.exitCode, 66)
    XCTAssertEqual(outcome.outputData, Data())
  }
}
