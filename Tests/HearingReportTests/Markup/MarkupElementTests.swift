import TestSupport
import XCTest

@testable import HearingReport

final class MarkupElementTests: XCTestCase {
  func test_text_isEscapedAsTextAndAttributesAsAttributes() {
    let element = MarkupElement("p", ["title": "a \"b\" <c>"], text: "1 < 2 & \"3\" > 2")
    XCTAssertEqual(
      element.written,
      "<p title=\"a &quot;b&quot; &lt;c&gt;\">1 &lt; 2 &amp; \"3\" &gt; 2</p>")
  }

  func test_emptyElements_areClosedAsHTMLWantsThem() {
    XCTAssertEqual(MarkupElement("td").written, "<td></td>")
    XCTAssertEqual(MarkupElement("meta", ["charset": "utf-8"]).written, "<meta charset=\"utf-8\"/>")
  }

  func test_anyText_comesBackFromAParser() throws {
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
      let expected = String(
        String.UnicodeScalarView(
          text.map { scalar in
            let isForbidden =
              scalar.value < 0x20 && !["\t", "\n", "\r"].contains(scalar)
              || (0x7F...0x9F).contains(scalar.value) || [0xFFFE, 0xFFFF].contains(scalar.value)
            return isForbidden ? "\u{FFFD}" : scalar
          })
      ).replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\r", with: "\n")
      XCTAssertEqual(Array(parsed.text.unicodeScalars), Array(expected.unicodeScalars))
    }
  }
}
