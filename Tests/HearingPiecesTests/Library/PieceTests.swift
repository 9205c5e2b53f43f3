import Foundation
import HearingAudio
import HearingPieces
import TestSupport
import XCTest

final class PieceTests: XCTestCase {
  private let wav = PieceWorld.wav(frameCount: 800, channelCount: 2)

  private func piece(_ world: PieceWorld) async throws -> Piece {
    let wav = wav
    return try await world.drop(PieceRenderer { .data(wav) })
  }

  func test_mixStem_hasTheSameBytesAsTheDroppedFile() async throws {
    let world = try PieceWorld()
    let file = try await piece(world).mixStem(format: .wav)
    XCTAssertEqual(try Data(contentsOf: file), wav)
  }

  func test_mixStem_inAnUnsupportedFormat_fails() async throws {
    let world = try PieceWorld()
    let piece = try await piece(world)
    for format in [
      PieceAudioFormat.oggVorbis, .flac, .aac, PieceAudioFormat(rawValue: "WAV"),
      PieceAudioFormat(rawValue: ""),
    ] {
      do {
        _ = try await piece.mixStem(format: format)
        XCTFail(format.rawValue)
      } catch {
        XCTAssertEqual(error, .noFormat(format, of: .mixStem, available: [.wav]))
        XCTAssertEqual(
          error.description, "the mix stem is not available as \(format), only as wav")
      }
    }
  }

  func test_preview_ofAPieceWithoutAPreview_isTheMixStem() async throws {
    let world = try PieceWorld()
    let piece = try await piece(world)
    let (preview, stem) = (try await piece.preview(), try await piece.mixStem())
    XCTAssertEqual(preview, stem)
    let (cover, attachment) = (try await piece.coverImage(), try await piece.attachment())
    XCTAssertNil(cover)
    XCTAssertNil(attachment)
  }

  func test_export_toAnExistingFile_replacesTheFileWithACopy() async throws {
    let world = try PieceWorld()
    let piece = try await piece(world)
    let path = try world.scratch.write("old", to: "out.wav")
    try await piece.exportMixStem(to: URL(fileURLWithPath: path))
    XCTAssertEqual(try world.scratch.data("out.wav"), wav)
  }

  func test_export_intoAPipe_writesTheData_andKeepsThePipe() async throws {
    let world = try PieceWorld()
    let piece = try await piece(world)
    let path = world.scratch.path("pipe")
    XCTAssertEqual(mkfifo(path, 0o600), 0)
    let received = Holder<Data>()
    let reader = OtherThread {
      received.value = try? FileHandle(forReadingAtPath: path)?.readToEnd()
    }
    try await piece.exportMixStem(to: URL(fileURLWithPath: path))
    reader.join()
    XCTAssertEqual(received.value, wav)
    var information = stat()
    XCTAssertEqual(lstat(path, &information), 0)
    XCTAssertEqual(information.st_mode & S_IFMT, S_IFIFO)
  }

  func test_export_intoAMissingFolder_fails() async throws {
    let world = try PieceWorld()
    let piece = try await piece(world)
    let path = world.scratch.path("nowhere/out.wav")
    do {
      try await piece.exportMixStem(to: URL(fileURLWithPath: path))
      XCTFail("exported")
    } catch {
      XCTAssertEqual(
        error, .cannotCopy(.folderNotFound(path: world.scratch.path("nowhere"))))
    }
  }

  func test_mixStem_ofATruncatedFile_failsWithDamaged() async throws {
    let world = try PieceWorld()
    let piece = try await piece(world)
    let file = try await piece.mixStem()
    XCTAssertEqual(truncate(file.path, 50), 0)
    do {
      _ = try await piece.mixStem()
      XCTFail("delivered")
    } catch {
      XCTAssertEqual(
        error,
        .damaged(piece.identifier, part: .mixStem, byteCount: 50, expected: Int64(wav.count)))
    }
  }

  func test_fileWithAChangedByte_isReportedAsCorrupted_inListingLookupAndExport() async throws {
    let world = try PieceWorld()
    let piece = try await piece(world)
    let file = try await piece.mixStem()
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count - 3] ^= 1
    try bytes.write(to: file)
    let error = PieceError.corrupted(piece.identifier, part: .mixStem)
    let listing = try await world.exchange.listing()
    XCTAssertEqual(listing.pieces, [])
    XCTAssertEqual(listing.broken, [piece.identifier: error])
    do {
      _ = try await world.exchange.piece(piece.identifier)
      XCTFail("shown")
    } catch { XCTAssertEqual(error, .corrupted(piece.identifier, part: .mixStem)) }
    let copy = world.scratch.url.appendingPathComponent("out.wav")
    do {
      try await piece.exportMixStem(to: copy)
      XCTFail("exported")
    } catch { XCTAssertEqual(error, .corrupted(piece.identifier, part: .mixStem)) }
    XCTAssertFalse(FileManager.default.fileExists(atPath: copy.path))
    XCTAssertEqual(
      "\(error)",
      "piece \"\(piece.identifier)\": its mix stem is damaged; its contents have changed since the drop"
    )
  }

  func test_export_toARemoteURL_fails() async throws {
    let world = try PieceWorld()
    let piece = try await piece(world)
    let url = try XCTUnwrap(URL(string: "https://localhost/out.wav"))
    do {
      try await piece.exportMixStem(to: url)
      XCTFail("exported")
    } catch { XCTAssertEqual(error, .cannotCopy(.notFileURL(url: "https://localhost/out.wav"))) }
  }
}
