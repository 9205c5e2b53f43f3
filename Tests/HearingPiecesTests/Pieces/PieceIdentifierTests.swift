import Foundation
import HearingPieces
import TestSupport
import XCTest

final class PieceIdentifierTests: XCTestCase {
  func test_init_acceptsLettersDigitsAndHyphens() {
    for text in [
      "a", "0", "a-", "2q7f-9x4k", "Ab3", UUID().uuidString, String(repeating: "z", count: 64),
    ] {
      XCTAssertEqual(PieceIdentifier(text)?.text, text)
    }
  }

  func test_init_rejectsPathsAndOtherCharacters() {
    for text in [
      "", ".", "..", "../a", "a/b", "/a", "a\\b", "-a", ".a", "a.b", "ä", "a b", "a\0", "%2e",
      "a\n", "\u{202E}a", "a\u{301}", "C:", "~", String(repeating: "z", count: 65),
    ] {
      XCTAssertNil(PieceIdentifier(text), text)
    }
  }

  func test_init_ofRandomText_acceptsOnlyLettersDigitsAndHyphens() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let alphabet = Array("ab0-./\\%~:A \0é")
    for _ in 0..<10_000 {
      let text = String(
        (0..<Int.random(in: 1...5, using: &generator)).map { _ in
          alphabet[Int.random(in: alphabet.indices, using: &generator)]
        })
      let isSafe = text.allSatisfy { "abA0-".contains($0) } && !text.hasPrefix("-")
      XCTAssertEqual(PieceIdentifier(text) != nil, isSafe, text)
    }
  }

  func test_random_returnsAValidUniqueIdentifier() {
    let all = (0..<1_000).map { _ in PieceIdentifier.random() }
    XCTAssertEqual(Set(all).count, all.count)
    for identifier in all { XCTAssertEqual(PieceIdentifier(identifier.text), identifier) }
  }
}
