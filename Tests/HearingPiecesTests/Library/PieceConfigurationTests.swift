import HearingPieces
import XCTest

final class PieceConfigurationTests: XCTestCase {
  private func failure(_ identifier: String?, _ key: String?) -> PieceConfiguration.Invalid? {
    do {
      _ = try PieceConfiguration(applicationIdentifier: identifier, apiKey: key)
      return nil
    } catch {
      return error
    }
  }

  func test_init_withoutIdentifierOrKey_failsAndNamesTheMissingValue() {
    XCTAssertEqual(failure(nil, "key"), .missingApplicationIdentifier)
    XCTAssertEqual(failure("", "key"), .missingApplicationIdentifier)
    XCTAssertEqual(failure("app", nil), .missingAPIKey)
    XCTAssertEqual(failure("app", ""), .missingAPIKey)
    XCTAssertEqual(failure("app", nil)?.description, "the API key is missing")
    XCTAssertEqual(
      failure(nil, nil)?.description, "the application identifier is missing")
  }

  func test_init_withAnIdentifierInvalidInAURLScheme_fails() {
    let cases: [(String, Character, Int)] = [
      ("my app", " ", 2), ("app:", ":", 3), ("äpp", "ä", 0), ("a/b", "/", 1), ("a_b", "_", 1),
      ("app\n", "\n", 3), ("%41", "%", 0),
    ]
    for (identifier, character, index) in cases {
      let error = failure(identifier, "key")
      XCTAssertEqual(
        error, .noScheme(identifier: identifier, character: character, index: index))
      XCTAssertEqual(error?.description.contains("is not valid in a URL scheme"), true)
      XCTAssertEqual(error?.description.contains("\n"), false)
    }
    let long = String(repeating: "a", count: 101)
    XCTAssertEqual(failure(long, "key"), .identifierTooLong(101, limit: 100))
  }

  func test_urlScheme_isThePrefixAndTheIdentifierInLowerCase() throws {
    let configuration = try PieceConfiguration(
      applicationIdentifier: "Rain-Maker.2+", apiKey: "key")
    XCTAssertEqual(configuration.urlScheme, "ah-rain-maker.2+")
  }

  func test_apiKey_doesNotAppearInDescriptions() throws {
    let configuration = try PieceConfiguration(applicationIdentifier: "app", apiKey: "SECRET")
    let exchange = PieceExchange(
      configuration: configuration, library: FolderPieceLibrary(folder: .init(filePath: "/")))
    var dumped = ""
    dump(exchange, to: &dumped)
    for text in [
      "\(configuration)", "\(exchange)", String(reflecting: configuration), dumped,
      "\([configuration])",
    ] {
      XCTAssertFalse(text.contains("SECRET"), text)
    }
  }

  func test_schemePrefix_isUsedInTheURLScheme_andRejectedIfInvalid() throws {
    func scheme(_ identifier: String, _ prefix: String) throws -> String {
      try PieceConfiguration(
        applicationIdentifier: identifier, apiKey: "k", schemePrefix: prefix
      ).urlScheme
    }
    XCTAssertEqual(try scheme("rain-maker", "Pieces+"), "pieces+rain-maker")
    XCTAssertEqual(try scheme("rain-maker", ""), "rain-maker")
    XCTAssertEqual(try scheme("1st", "x"), "x1st")
    for (identifier, prefix) in [("1st", ""), ("a", "1"), ("a", "b:"), ("a", "é"), ("a", "b ")] {
      XCTAssertThrowsError(try scheme(identifier, prefix)) {
        XCTAssertEqual($0 as? PieceConfiguration.Invalid, .invalidSchemePrefix(prefix))
      }
    }
  }
}
