import TestSupport
import XCTest

@testable import HearingFitting

final class MarkupScannerTests: XCTestCase {
  private func elements(
    in text: String, chunks: [Int]
  ) throws(UnreadableDocument) -> [MarkupScanner.Element] {
    var rest = Array(text.utf8)[...]
    var sizes = chunks[...]
    var scanner = MarkupScanner(root: "r", element: "a", head: []) {
      () throws(UnreadableDocument) in
      // A chunk must not be empty, because an empty chunk means the end of the document.
      let chunk = Array(rest.prefix(max(1, sizes.popFirst() ?? Int.max)))
      rest = rest.dropFirst(chunk.count)
      return chunk
    }
    var elements: [MarkupScanner.Element] = []
    while let element = try scanner.next() { elements.append(element) }
    return elements
  }

  private let document = """
    <?xml version="1.0"?><?a ?? <a> ?>
    <!-- <a> - -- ->-->
    <!DOCTYPE r [ <!-- ]> "' --> <!ELEMENT a (b|c)> <!ATTLIST a b CDATA "]>" <?p ]> '?> <!ENT x> ] >
    <r x="'>" y='">/'>t > ]]> "<b/>
    <![CDATA[ <a> ] ]] ]> ]]]>
    <a/><a
      x = "a>b"   ></a >
    <aa><a><a k='"'/><!-- </a> --><![CDATA[</a>]]>text</a></aa><ab/>
    <x:y \u{E9}="/"/></r>

    <!-- end --><?end?>
    """

  private let expected = [
    (6, "<a/>"), (6, "<a\n  x = \"a>b\"   ></a >"),
    (8, "<a><a k='\"'/><!-- </a> --><![CDATA[</a>]]>text</a>"),
  ]

  private func assertExpected(_ chunks: [Int], line: UInt = #line) throws {
    let found = try elements(in: document, chunks: chunks)
    XCTAssertEqual(found.map(\.line), expected.map(\.0), "\(chunks)", line: line)
    XCTAssertEqual(
      found.map { String(decoding: $0.bytes, as: UTF8.self) }, expected.map(\.1), "\(chunks)",
      line: line)
  }

  func test_scan_findsElementsAndTheirLines() throws {
    try assertExpected([])
  }

  func test_scan_inChunksOfAnySize_findsTheSameElements() throws {
    for size in 0...document.utf8.count { try assertExpected([size]) }
    try assertExpected(Array(repeating: 1, count: document.utf8.count))
    var generator = SeededGeneratorSeed.fresh(#function).generator
    for _ in 0..<300 {
      try assertExpected((0..<200).map { _ in Int.random(in: 1...7, using: &generator) })
    }
  }

  func test_scan_documentTruncatedAnywhere_isAnError() {
    let end = document.utf8.count - "\n\n<!-- end --><?end?>".utf8.count
    for length in 0..<end {
      let cut = String(decoding: document.utf8.prefix(length), as: UTF8.self)
      XCTAssertThrowsError(try elements(in: cut, chunks: []), cut)
    }
  }

  func test_scan_malformedDocumentInChunksOfAnySize_failsWithTheSameLine() {
    let text = "<r>\n<b>\n</b>\n<c x='\n<a/>'/></r>"
    for size in 1...text.utf8.count {
      assertUnreadable(saying: "line 4: a tag that is not closed before the next one") {
        () throws(UnreadableDocument) in try self.elements(in: text, chunks: [size])
      }
    }
  }
}
