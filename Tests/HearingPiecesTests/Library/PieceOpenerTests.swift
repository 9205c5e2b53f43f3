import Foundation
import HearingPieces
import TestSupport
import XCTest

final class PieceOpenerTests: XCTestCase {
  private func dropped(_ world: PieceWorld) async throws -> Piece {
    let wav = PieceWorld.wav()
    return try await world.drop(PieceRenderer { .data(wav) })
  }

  /// The result that the opener delivers for a link, which must be a link of the application.
  private func opened(
    _ text: String, _ world: PieceWorld
  ) async throws -> Result<PieceIdentifier, OpenError> {
    let url = try XCTUnwrap(URL(string: text), text)
    return await withCheckedContinuation { continuation in
      let opener = PieceOpener(world.exchange) { result in
        continuation.resume(returning: result.map(\.identifier))
      }
      XCTAssertTrue(opener.handleOpen(url), text)
    }
  }

  func test_ownLink_opensThePiece() async throws {
    let world = try PieceWorld()
    let identifier = try await dropped(world).identifier
    XCTAssertEqual(
      world.exchange.link(to: identifier).absoluteString, "ah-test-app://piece/\(identifier)")
    for link in [
      "ah-test-app://piece/\(identifier)", "AH-Test-App://piece/\(identifier)",
      "ah-test-app://PIECE/\(identifier)", "ah-test-app://piece/\(identifier)?from=mail#x",
    ] {
      let result = try await opened(link, world)
      XCTAssertEqual(result, .success(identifier), link)
    }
  }

  func test_ownLink_toAMissingPiece_deliversTheError() async throws {
    let world = try PieceWorld()
    let result = try await opened("ah-test-app://piece/nothing", world)
    XCTAssertEqual(
      result, .failure(.library(.notFound(try XCTUnwrap(PieceIdentifier("nothing"))))))
  }

  func test_malformedOwnLink_deliversTheError() async throws {
    let world = try PieceWorld()
    for link in [
      "ah-test-app:", "ah-test-app://", "ah-test-app://piece", "ah-test-app://piece/",
      "ah-test-app://song/abc", "ah-test-app://piece/a/b", "ah-test-app://piece/ABC",
      "ah-test-app://piece/..", "ah-test-app://piece/%2e%2e", "ah-test-app://piece/..%2Fout",
      "ah-test-app://piece/../out/x", "ah-test-app:piece/abc", "ah-test-app:///piece/abc",
    ] {
      let result = try await opened(link, world)
      XCTAssertEqual(result, .failure(.malformedLink(link)))
    }
  }

  func test_otherLinks_areIgnored() async throws {
    let world = try PieceWorld()
    let calls = Recorder<Int>()
    let opener = PieceOpener(world.exchange) { _ in calls.record(1) }
    for link in [
      "https://example.com/piece/abc", "ah-test-app2://piece/abc", "ah-test://piece/abc",
      "test-app://piece/abc", "/piece/abc", "file:///piece/abc", "ah-other://piece/abc",
    ] {
      XCTAssertFalse(opener.handleOpen(try XCTUnwrap(URL(string: link))), link)
    }
    // Waits for a later link of the application. Results of the other links would have arrived
    // before its result.
    _ = try await opened("ah-test-app://piece/abc", world)
    XCTAssertEqual(calls.events, [])
  }

  /// The test is synchronous, so that the opener cannot run on this thread while the test waits.
  func test_opener_isCalledOffTheCallersThread() throws {
    let world = try PieceWorld()
    let threads = Recorder<UInt>()
    let end = expectation(description: "opened")
    let opener = PieceOpener(world.exchange) { _ in
      threads.record(UInt(pthread_self()))
      end.fulfill()
    }
    XCTAssertTrue(opener.handleOpen(try XCTUnwrap(URL(string: "ah-test-app://piece/x"))))
    wait(for: [end], timeout: 60)
    XCTAssertNotEqual(threads.events, [UInt(pthread_self())])
  }
}
