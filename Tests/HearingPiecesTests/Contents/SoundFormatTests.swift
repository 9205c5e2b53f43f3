import Foundation
import HearingAudio
import HearingPieces
import TestSupport
import XCTest

/// Drops sounds that ffmpeg has compressed. If `ffmpeg` is not installed, these tests are skipped.
final class SoundFormatTests: XCTestCase {
  private let seconds = 0.75

  /// A compressed sound of `seconds` at 48 kHz. The arguments of `ffmpeg` select the format.
  private func compressed(_ name: String, _ arguments: [String]) throws -> Data {
    let folder = try ScratchFolder()
    let frameCount = Int(seconds * 48_000)
    let wav = folder.url.appendingPathComponent("in.wav")
    try PieceWorld.wav(frameCount: frameCount, channelCount: 2, rate: 48_000).write(to: wav)
    let output = folder.url.appendingPathComponent(name)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["ffmpeg", "-v", "error", "-i", wav.path] + arguments + [output.path]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      guard ProcessInfo.processInfo.environment["CI"] == nil else {
        throw CocoaError(.fileReadUnknown)
      }
      throw XCTSkip("ffmpeg is not installed, or lacks the codec")
    }
    return try Data(contentsOf: output)
  }

  private func vorbis() throws -> Data {
    try compressed("out.ogg", ["-c:a", "libvorbis"])
  }

  private func aac(_ more: [String] = []) throws -> Data {
    try compressed("out.m4a", ["-c:a", "aac"] + more)
  }

  private func microseconds(_ seconds: Double) -> Int64 { Int64(seconds * 1_000_000) }

  func test_drop_ofVorbisOrAAC_storesTheFileInItsOwnFormat() async throws {
    for (data, format, type) in [
      (try vorbis(), PieceAudioFormat.oggVorbis, "audio/ogg"),
      (try aac(), .aac, "audio/mp4"),
    ] {
      let world = try PieceWorld()
      let metadata = try PieceMetadata(title: "Rain", length: microseconds(seconds))
      let piece = try await world.drop(PieceRenderer { .data(data) }, metadata)
      let stored = try await world.exchange.piece(piece.identifier)
      XCTAssertEqual(stored.record, piece.record)
      XCTAssertEqual(stored.record.format(of: .mixStem), format)
      XCTAssertEqual(format.mediaType?.text, type)
      let formats = try await stored.formats(of: .mixStem)
      XCTAssertEqual(formats.first, format)
      for wanted in [nil, format] {
        let file = try await stored.mixStem(format: wanted)
        XCTAssertEqual(try Data(contentsOf: file), data)
      }
      let copy = world.scratch.url.appendingPathComponent("copy")
      try await stored.exportMixStem(to: copy)
      XCTAssertEqual(try Data(contentsOf: copy), data)
    }
  }

  func test_drop_withACompressedPreviewAndWAVMixStem_storesBoth() async throws {
    let (wav, preview) = (PieceWorld.wav(), try vorbis())
    var renderer = PieceRenderer { .data(wav) }
    renderer.preview = .rendered { .data(preview) }
    let world = try PieceWorld()
    let piece = try await world.drop(renderer)
    XCTAssertEqual(piece.record.soundFormats, [.preview: .oggVorbis])
    let file = try await piece.preview()
    XCTAssertEqual(try Data(contentsOf: file), preview)
    let stem = try await piece.mixStem(format: .wav)
    XCTAssertEqual(try Data(contentsOf: stem), wav)
  }

  func test_mixStem_inAnUnavailableFormat_failsAndNamesTheAvailableFormats() async throws {
    let data = try vorbis()
    let piece = try await PieceWorld().drop(
      PieceRenderer { .data(data) }, PieceMetadata(title: "Rain"))
    do {
      _ = try await piece.mixStem(format: .wav)
      XCTFail("Vorbis became WAV")
    } catch {
      XCTAssertEqual(
        error, .noFormat(.wav, of: .mixStem, available: [.oggVorbis]))
      XCTAssertEqual(
        "\(error)", "the mix stem is not available as wav, only as ogg-vorbis")
    }
  }

  func test_drop_withALengthThatDiffersFromTheFile_failsWithWrongLength() async throws {
    for data in [try vorbis(), try aac()] {
      let world = try PieceWorld()
      let metadata = try PieceMetadata(title: "Rain", length: microseconds(seconds) - 60_000)
      let failure = try await world.failure(PieceRenderer { .data(data) }, metadata)
      guard case .content(.mixStem, .wrongLength(let found, _)) = failure else {
        return XCTFail("\(String(describing: failure))")
      }
      XCTAssertEqual(Double(found), seconds * 1_000_000, accuracy: 1_000)
    }
  }

  func test_drop_ofAFileWithoutALengthInItsHeader_succeedsWithAWarning() async throws {
    let data = try aac(["-movflags", "empty_moov+frag_keyframe"])
    let warnings = Recorder<PieceContent.Invalid>()
    var renderer = PieceRenderer { .data(data) }
    renderer.dropWarning = { part, problem in
      XCTAssertEqual(part, .mixStem)
      warnings.record(problem)
    }
    let piece = try await PieceWorld().drop(renderer, PieceMetadata(title: "Rain"))
    XCTAssertNil(piece.metadata.length)
    XCTAssertEqual(warnings.events, [.lengthNotStated(.aac)])
    let known = try await PieceWorld().drop(renderer, PieceMetadata(title: "Rain", length: 5))
    XCTAssertEqual(known.metadata.length, 5)
  }

  func test_drop_ofTruncatedFiles_fails_andOfDamagedFilesNeverTraps() async throws {
    let seed = UInt64.random(in: .min ... .max)
    print("seed", seed)
    var generator = SeededGenerator(seed: seed)
    for data in [try vorbis(), try aac()] {
      for _ in 0..<20 {
        let count = Int.random(in: 9..<data.count, using: &generator)
        let failure = try await PieceWorld().failure(
          PieceRenderer { .data(data.prefix(count)) }, PieceMetadata(title: "Rain"))
        guard case .content(.mixStem, .malformed) = failure else {
          XCTFail("\(count) of \(data.count) bytes: \(String(describing: failure))")
          continue
        }
      }
      for _ in 0..<200 {
        var damaged = data
        for _ in 0..<8 {
          damaged[Int.random(in: 0..<damaged.count, using: &generator)] = UInt8.random(
            in: .min ... .max, using: &generator)
        }
        // The content of such a file may be accepted or rejected. The code must not crash.
        let (world, bytes) = (try PieceWorld(), damaged)
        _ = try? await world.drop(PieceRenderer { .data(bytes) }, PieceMetadata(title: "Rain"))
      }
    }
  }

  /// A file of two million empty boxes must not be parsed completely. Before this limit existed,
  /// parsing needed four seconds, and the app could not cancel it.
  func test_drop_ofAFileOfEmptyBoxes_failsAtALimit() async throws {
    let box: [UInt8] = [0, 0, 0, 8] + Array("free".utf8)
    let header: [UInt8] = [0, 0, 0, 16] + Array("ftypM4A ".utf8) + [0, 0, 0, 0]
    let data = Data(header + Array(repeating: box, count: 300_000).joined())
    let failure = try await PieceWorld().failure(
      PieceRenderer { .data(data) }, PieceMetadata(title: "Rain"))
    guard case .content(.mixStem, .malformed(_, let offset, let reason)) = failure else {
      return XCTFail("\(String(describing: failure))")
    }
    XCTAssertLessThan(offset, data.count)
    XCTAssertTrue(reason.contains("boxes"), reason)
  }

  func test_drop_ofUnsupportedCodecs_failsAsMalformed() async throws {
    for (name, arguments) in [
      ("out.ogg", ["-c:a", "flac", "-f", "ogg"]), ("out.m4a", ["-c:a", "alac"]),
    ] {
      let data = try compressed(name, arguments)
      let failure = try await PieceWorld().failure(
        PieceRenderer { .data(data) }, PieceMetadata(title: "Rain"))
      guard case .content(.mixStem, .malformed) = failure else {
        XCTFail("\(name): \(String(describing: failure))")
        continue
      }
    }
  }
}
