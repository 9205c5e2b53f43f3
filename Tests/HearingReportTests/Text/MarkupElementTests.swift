@testable import HearingReport
import TestSupport
import XCTest

final class MarkupElementTests: XCTestCase {
  func test_textAndAttributes_areEscapedDifferently() {
    let element = MarkupElement("p", ["title": "a \"b\" <c>"], text: "1 < 2 & \"3\" > 2")
    XCTAssertEqual(
      element.written,
      "<p title=\"a &quot;b&quot; &lt;c&gt;\">1 &lt; 2 &amp; \"3\" &gt; 2</p>")
  }

  func test_charactersThatReverseTheFollowingText_areReplaced() {
    let element = MarkupElement("p", text: "by \u{202E}evil\u{202A}, 40 dB; \u{2068}עברית\u{2069}")
    XCTAssertEqual(
      element.written, "<p>by \u{FFFD}evil\u{FFFD}, 40 dB; \u{2068}עברית\u{2069}</p>")
  }

  func test_elementsWithoutContent_areClosedAsInHTML() {
    XCTAssertEqual(MarkupElement("td").written, "<td></td>")
    XCTAssertEqual(MarkupElement("meta", ["charset": "utf-8"]).written, "<meta charset=\"utf-8\"/>")
  }

  func test_anyText_writtenAndParsed_isUnchangedExceptForbiddenCharacters() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        let range: ClosedRange<UInt32> =
          Bool.random(using: &generator) ? 0...0xFF : 0x100...0x10FFFF
        if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) {
          text.append(scalar)
        }
      }
      let element = MarkupElement("p", ["title": String(text)], text: String(text))
      let parsed = try ParsedElement.parse(element.written)
      XCTAssertEqual(Array(parsed.text.unicodeScalars), expected(text), "\(Array(text))")
    }
  }

  /// The text that an XML parser must return. Forbidden characters have been replaced. XML converts
  /// all line ends to line feeds.
  private func expected(_ text: String.UnicodeScalarView) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    var previous: Unicode.Scalar?
    for scalar in text {
      defer { previous = scalar }
      switch scalar {
      case "\n" where previous == "\r": continue
      case "\r": result.append("\n")
      case "\t", "\n": result.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{FFFE}", "\u{FFFF}":
        result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return result
  }
}
