import Foundation
import TestSupport
import XCTest

@testable import HearingPieces

final class PieceOpenerTests: XCTestCase {
  private func dropped(_ world: PieceWorld) async throws -> Piece {
    let wav = PieceWorld.wav()
    return try await world.drop(PieceRenderer { .data(wav) })
  }

  /// The result that the opener delivers for a link of the app. The URL `text` must be such a link.
  private func opened(
    _ text: String, _ world: PieceWorld
  ) async throws -> Result<PieceIdentifier, PieceError> {
    let url = try XCTUnwrap(URL(string: text), text)
    return await withCheckedContinuation { continuation in
      let opener = PieceOpener(world.exchange) { result in
        continuation.resume(returning: result.map(\.identifier))
      }
      XCTAssertTrue(opener.handleOpen(url), text)
    }
  }

  func test_linkOfThisApplication_opensThePiece() async throws {
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

  func test_linkToAMissingPiece_deliversNotFound() async throws {
    let world = try PieceWorld()
    let result = try await opened("ah-test-app://piece/nothing", world)
    XCTAssertEqual(
      result, .failure(.notFound(try XCTUnwrap(PieceIdentifier("nothing")))))
  }

  func test_malformedLink_deliversAnError() async throws {
    let world = try PieceWorld()
    for link in [
      "ah-test-app://piece", "ah-test-app://piece/", "ah-test-app://piece/a/b",
      "ah-test-app://piece/..", "ah-test-app://piece/%2e%2e", "ah-test-app://piece/..%2Fout",
      "ah-test-app://piece/../out/x",
    ] {
      let result = try await opened(link, world)
      XCTAssertEqual(result, .failure(.malformedLink(link)))
    }
  }

  func test_linksOfOtherApplications_areIgnored() async throws {
    let world = try PieceWorld()
    let calls = Recorder<Int>()
    let opener = PieceOpener(world.exchange) { _ in calls.record(1) }
    for link in [
      "https://example.com/piece/abc", "ah-test-app2://piece/abc", "ah-test://piece/abc",
      "test-app://piece/abc", "/piece/abc", "file:///piece/abc", "ah-other://piece/abc",
      "ah-test-app:", "ah-test-app://", "ah-test-app://song/abc", "ah-test-app://settings",
      "ah-test-app:piece/abc", "ah-test-app:///piece/abc",
    ] {
      XCTAssertFalse(opener.handleOpen(try XCTUnwrap(URL(string: link))), link)
    }
    // Waits for the result of a valid link. If an earlier link had a result, this result would have
    // arrived before.
    _ = try await opened("ah-test-app://piece/abc", world)
    XCTAssertEqual(calls.events, [])
  }

  /// This test is synchronous. Its thread only waits, so the opener cannot run on this thread.
  func test_openerClosure_isNotCalledOnTheThreadThatCallsHandleOpen() throws {
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

  @MainActor
  func test_openerClosureOnMainActor_runsOnTheMainActor() async throws {
    let (world, wav) = (try PieceWorld(), PieceWorld.wav())
    let identifier = try await world.drop(PieceRenderer { .data(wav) }).identifier
    let opened = expectation(description: "opened")
    let opener = PieceOpener(
      world.exchange,
      onMainActor: { result in
        MainActor.assertIsolated()
        XCTAssertEqual((try? result.get())?.identifier, identifier)
        opened.fulfill()
      })
    XCTAssertTrue(opener.handleOpen(world.exchange.link(to: identifier)))
    await fulfillment(of: [opened], timeout: 60)
  }

  func test_linkToAnUppercaseIdentifier_deliversNotFound() async throws {
    let world = try PieceWorld()
    let identifier = try await dropped(world).identifier
    let capitals = try XCTUnwrap(PieceIdentifier(identifier.text.uppercased() + "A"))
    let result = try await opened(world.exchange.link(to: capitals).absoluteString, world)
    XCTAssertEqual(result, .failure(.notFound(capitals)))
  }

  func test_missingScheme_returnsTheURLScheme_onlyIfTheApplicationDoesNotDeclareIt() throws {
    let configuration = try PieceConfiguration(applicationIdentifier: "Rain", apiKey: "key")
    func information(_ schemes: [String]) -> [String: Any] {
      ["CFBundleURLTypes": [["CFBundleURLName": "pieces", "CFBundleURLSchemes": schemes]]]
    }
    XCTAssertNil(configuration.missingScheme(in: information(["mail", "AH-rain"])))
    XCTAssertEqual(configuration.missingScheme(in: information(["ah-rai"])), "ah-rain")
    #if !canImport(Darwin)
      XCTAssertNil(configuration.missingScheme(in: [:]))
      XCTAssertNil(PieceOpener(try PieceWorld().exchange) { _ in }.missingScheme)
    #endif
  }
}
