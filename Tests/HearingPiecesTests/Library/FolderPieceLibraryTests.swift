import Foundation
import HearingAudio
import HearingFitting
import HearingProcessing
import TestSupport
import XCTest

@testable import HearingPieces

final class FolderPieceLibraryTests: XCTestCase {
  private func dropped(_ world: PieceWorld) async throws -> Piece {
    let wav = PieceWorld.wav()
    return try await world.drop(PieceRenderer { .data(wav) })
  }

  private func failure(
    _ world: PieceWorld, _ name: String, line: UInt = #line
  ) async throws -> PieceError? {
    let identifier = try XCTUnwrap(PieceIdentifier(name), line: line)
    do {
      _ = try await world.exchange.piece(identifier)
      return nil
    } catch {
      return error
    }
  }

  func test_listing_withoutAFolder_isEmpty() async throws {
    let world = try PieceWorld()
    let listing = try await world.exchange.listing()
    XCTAssertEqual(listing, PieceListing(pieces: []))
    XCTAssertEqual(try world.names(), [])
  }

  func test_listing_isSortedByDropDate_oldestFirst() async throws {
    let world = try PieceWorld()
    var identifiers: [PieceIdentifier] = []
    for _ in 0..<4 { identifiers.append(try await dropped(world).identifier) }
    let listing = try await world.exchange.listing()
    XCTAssertEqual(listing.pieces.map(\.droppedAt), listing.pieces.map(\.droppedAt).sorted())
    XCTAssertEqual(Set(listing.pieces.map(\.identifier)), Set(identifiers))
  }

  func test_listing_ignoresOtherFiles() async throws {
    let world = try PieceWorld()
    let piece = try await dropped(world)
    let scratch = world.scratch
    try scratch.write("x", to: "pieces/readme.txt")
    try scratch.write("x", to: "pieces/abc")
    for name in ["My Music", ".hidden", ".dropping-foreign", "UPPER"] {
      try FileManager.default.createDirectory(
        atPath: scratch.path("pieces/\(name)"), withIntermediateDirectories: false)
    }
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("pieces/link"), withDestinationPath: piece.identifier.text)
    let listing = try await world.exchange.listing()
    XCTAssertEqual(listing.pieces.map(\.identifier), [piece.identifier])
    XCTAssertEqual(listing.broken, [:])
  }

  func test_listing_includesEachBrokenPieceWithItsReason() async throws {
    let world = try PieceWorld()
    let good = try await dropped(world)
    let breaks: [(String, (String) throws -> Void)] = [
      ("empty", { try FileManager.default.removeItem(atPath: $0 + "/piece.json") }),
      ("garbage", { try Data([0, 1, 2]).write(to: URL(fileURLWithPath: $0 + "/piece.json")) }),
      ("huge", { XCTAssertEqual(truncate($0 + "/piece.json", 1 << 33), 0) }),
      ("no-stem", { try FileManager.default.removeItem(atPath: $0 + "/mix-stem.wav") }),
      ("short-stem", { XCTAssertEqual(truncate($0 + "/mix-stem.wav", 100), 0) }),
      (
        "linked-stem",
        {
          try FileManager.default.removeItem(atPath: $0 + "/mix-stem.wav")
          try FileManager.default.createSymbolicLink(
            atPath: $0 + "/mix-stem.wav",
            withDestinationPath: "../\(good.identifier)/mix-stem.wav")
        }
      ),
      (
        "folder",
        {
          try FileManager.default.removeItem(atPath: $0 + "/piece.json")
          try FileManager.default.createDirectory(
            atPath: $0 + "/piece.json", withIntermediateDirectories: false)
        }
      ),
      (
        "pipe",
        {
          unlink($0 + "/piece.json"); mkfifo($0 + "/piece.json", 0o600)
        }
      ),
      ("renamed", { _ in }),
    ]
    for (name, damage) in breaks {
      let path = world.scratch.path("pieces/\(name)")
      try FileManager.default.copyItem(
        atPath: world.scratch.path("pieces/\(good.identifier)"), toPath: path)
      if name != "renamed" { try rename(good.identifier, to: name, path) }
      try damage(path)
    }
    let listing = try await world.exchange.listing()
    XCTAssertEqual(listing.pieces.map(\.identifier), [good.identifier])
    XCTAssertEqual(listing.broken.keys.map(\.text).sorted(), breaks.map(\.0).sorted())
    for (identifier, reason) in listing.broken {
      XCTAssertFalse("\(reason)".contains("\n"))
      let error = try await failure(world, identifier.text)
      XCTAssertEqual(error, reason)
      switch (identifier.text, reason) {
      case ("no-stem", .damaged(_, part: .mixStem, byteCount: nil, expected: 1_680)),
        ("linked-stem", .damaged(_, part: .mixStem, byteCount: nil, expected: 1_680)),
        ("short-stem", .damaged(_, part: .mixStem, byteCount: 100, expected: 1_680)),
        ("empty", .unreadable(_, .inaccessible)), ("folder", .unreadable(_, .inaccessible)),
        ("pipe", .unreadable(_, .inaccessible)), ("garbage", .unreadable(_, .malformed)),
        ("huge", .unreadable(_, .tooLarge)),
        ("renamed", .unreadable(_, .invalid(position: "identifier", reason: _))):
        break
      default: XCTFail("\(identifier): \(reason)")
      }
    }
  }

  /// Changes the identifier in the record of a copied piece. After that, the identifier equals the
  /// name of the piece's folder.
  private func rename(_ identifier: PieceIdentifier, to name: String, _ path: String) throws {
    let url = URL(fileURLWithPath: path + "/piece.json")
    let text = try String(contentsOf: url, encoding: .utf8)
    try Data(text.replacingOccurrences(of: identifier.text, with: name).utf8).write(to: url)
  }

  func test_recordDecoding_ofWrongValues_failsAndNamesTheirPath() async throws {
    let world = try PieceWorld()
    let piece = try await dropped(world)
    let url = world.scratch.url.appendingPathComponent("pieces/\(piece.identifier)/piece.json")
    let text = try String(contentsOf: url, encoding: .utf8)
    let cases = [
      ("\"length\" : 100000", "\"length\" : -1", "metadata.length"),
      ("\"title\" : \"Rain on tin\"", "\"title\" : []", "metadata.title"),
      ("\"mixStem\" : 1680", "\"mixStem\" : -1", "parts.mixStem"),
      ("\"mixStem\" : 1680", "\"preview\" : 1680", "parts.mixStem"),
      ("\"mixStem\" : 1680", "\"mixStem\" : 1680, \"coverImage\": 5", "coverFormat"),
      ("\"mixStem\" : 1680", "\"mixStem\" : 1680, \"attachment\": 5", "attachmentType"),
      (
        "\"droppedAt\"", "\"coverFormat\": \"../../x\", \"droppedAt\"", "coverFormat"
      ),
      ("\"droppedAt\" : \"20", "\"droppedAt\" : \"x20", "droppedAt"),
      ("\"identifier\" : \"", "\"identifier\" : \"../", "identifier"),
    ]
    for (found, replacement, place) in cases {
      XCTAssertTrue(text.contains(found), found)
      let broken = text.replacingOccurrences(of: found, with: replacement)
      do {
        _ = try PieceRecord(json: Data(broken.utf8))
        XCTFail(replacement)
      } catch {
        guard case .invalid(place, _) = error else {
          XCTFail("\(replacement): \(error)")
          continue
        }
      }
    }
    let newer = text.replacingOccurrences(of: "\"version\" : 1", with: "\"version\" : 2")
    XCTAssertThrowsError(try PieceRecord(json: Data(newer.utf8))) {
      XCTAssertEqual(
        $0 as? UnreadableDocument, .newerVersion(format: "hearing-piece", version: 2, known: 1))
    }
    XCTAssertEqual(try PieceRecord(json: Data(text.utf8)), piece.record)
  }

  func test_piece_thatDoesNotExist_failsWithNotFound() async throws {
    let world = try PieceWorld()
    let error = try await failure(world, "nothing")
    XCTAssertEqual(error, .notFound(try XCTUnwrap(PieceIdentifier("nothing"))))
    XCTAssertEqual(error?.description, "there is no piece \"nothing\"")
  }

  func test_identifiersAndSymbolicLinks_cannotAccessPiecesOutsideTheFolder() async throws {
    let world = try PieceWorld()
    let piece = try await dropped(world)
    // A complete piece is outside the library's folder. If the names below were used as paths, they
    // would lead to this piece.
    try FileManager.default.moveItem(
      atPath: world.scratch.path("pieces/\(piece.identifier)"), toPath: world.scratch.path("out"))
    for name in ["../out", "..", ".", "/out", "pieces/../../out", "", "~"] {
      XCTAssertNil(PieceIdentifier(name), name)
    }
    // A symbolic link must not lead to a piece outside the folder either.
    try FileManager.default.createSymbolicLink(
      atPath: world.scratch.path("pieces/out"), withDestinationPath: "../out")
    let error = try await failure(world, "out")
    XCTAssertEqual(error, .notFound(try XCTUnwrap(PieceIdentifier("out"))))
  }

  func test_beginDrop_removesOnlyTheFoldersOfAbandonedDrops() async throws {
    let world = try PieceWorld()
    let piece = try await dropped(world)
    for name in [".dropping-dead", ".dropping-half/deep", ".foreign"] {
      try FileManager.default.createDirectory(
        atPath: world.scratch.path("pieces/\(name)"), withIntermediateDirectories: true)
      try world.scratch.write("x", to: "pieces/\(name)/mix-stem.wav")
    }
    let library = world.exchange.library
    let staging = try await library.beginDrop(for: world.exchange.configuration)
    XCTAssertEqual(
      try world.names(),
      [".dropping-\(staging.identifier)", ".foreign", piece.identifier.text].sorted())
    await library.abandonDrop(staging, for: world.exchange.configuration)
    XCTAssertEqual(try world.names(), [".foreign", piece.identifier.text])
  }

  func test_beginDrop_keepsTheFoldersOfRunningDrops() async throws {
    let world = try PieceWorld()
    let configuration = world.exchange.configuration
    let library = world.exchange.library
    let first = try await library.beginDrop(for: configuration)
    let second = try await library.beginDrop(for: configuration)
    XCTAssertEqual(
      Set(try world.names()),
      [".dropping-\(first.identifier)", ".dropping-\(second.identifier)"])
    withExtendedLifetime((first, second)) {}
  }

  func test_concurrentDrops_succeed() async throws {
    let world = try PieceWorld()
    let wav = PieceWorld.wav()
    let exchange = world.exchange
    let metadata = try PieceWorld.metadata()
    let drops = (0..<16).map { _ in
      exchange.drop(metadata, renderer: PieceRenderer { .data(wav) })
    }
    for drop in drops { _ = try await drop.result.get() }
    let listing = try await exchange.listing()
    XCTAssertEqual(listing.pieces.count, 16)
    XCTAssertEqual(listing.broken, [:])
    XCTAssertEqual(try world.names().count, 16)
  }

  func test_completeDrop_withTheIdentifierOfAnExistingPiece_fails() async throws {
    let world = try PieceWorld()
    let piece = try await dropped(world)
    let configuration = world.exchange.configuration
    let place = world.scratch.url.appendingPathComponent("pieces/.dropping-again")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    let staging = PieceStaging(identifier: piece.identifier, folder: place)
    try PieceWorld.wav(frameCount: 5).write(to: staging.file(.mixStem))
    do {
      try await world.exchange.library.completeDrop(staging, piece.record, for: configuration)
      XCTFail("replaced")
    } catch {
      XCTAssertEqual(error, .alreadyThere(piece.identifier))
    }
    let again = try await world.exchange.piece(piece.identifier)
    XCTAssertEqual(again.record, piece.record)
    XCTAssertEqual(try world.names(), [piece.identifier.text])
  }

  func test_beginDrop_inAFolderThatCannotBeCreated_fails() async throws {
    let scratch = try ScratchFolder()
    try scratch.write("x", to: "file")
    let configuration = try PieceConfiguration(applicationIdentifier: "a", apiKey: "k")
    for name in ["file", "file/deeper"] {
      let library = FolderPieceLibrary(folder: scratch.url.appendingPathComponent(name))
      do {
        _ = try await library.beginDrop(for: configuration)
        XCTFail(name)
      } catch {
        guard case .file = error else { return XCTFail("\(error)") }
      }
    }
  }

  func test_library_whoseFolderIsAFileOrRemoteURL_failsInEveryOperation() async throws {
    let scratch = try ScratchFolder()
    try scratch.write("x", to: "file")
    let configuration = try PieceConfiguration(applicationIdentifier: "a", apiKey: "k")
    // A remote URL contains the path of a local folder. This folder contains a complete piece.
    let world = try PieceWorld()
    let piece = try await dropped(world)
    let path = world.scratch.path("pieces")
    let remote = try XCTUnwrap(URL(string: "https://localhost\(path)"))
    let place = world.scratch.url.appendingPathComponent("staging")
    let cases: [(URL, FileAccessError)] = [
      (scratch.url.appendingPathComponent("file"), .isFile(path: scratch.path("file"))),
      (remote, .notFileURL(url: "https://localhost\(path)")),
    ]
    for (url, expected) in cases {
      let library = FolderPieceLibrary(folder: url)
      let identifier = piece.identifier
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let staging = PieceStaging(identifier: identifier, folder: place)
      let operations: [() async throws -> Void] = [
        { _ = try await library.listing(for: configuration) },
        { _ = try await library.record(of: identifier, for: configuration) },
        {
          _ = try await library.file(
            .mixStem, of: piece.record, format: nil, for: configuration)
        },
        { _ = try await library.beginDrop(for: configuration) },
        { try await library.completeDrop(staging, piece.record, for: configuration) },
      ]
      for (number, operation) in operations.enumerated() {
        do {
          try await operation()
          XCTFail("operation \(number) with \(url)")
        } catch {
          XCTAssertEqual(error as? PieceError, .file(expected), "operation \(number)")
        }
      }
      XCTAssertFalse(FileManager.default.fileExists(atPath: place.path), "abandoned")
    }
    XCTAssertEqual(try world.names(), [piece.identifier.text])
  }
}
