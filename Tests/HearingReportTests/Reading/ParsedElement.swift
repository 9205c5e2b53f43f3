import Foundation
import XCTest

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An XML element that Foundation's parser has read.
final class ParsedElement {
  let name: String
  let attributes: [String: String]
  fileprivate(set) var children: [ParsedElement] = []
  /// The text that is directly inside the element, without the text of its children.
  fileprivate(set) var text = ""

  fileprivate init(name: String, attributes: [String: String]) {
    self.name = name
    self.attributes = attributes
  }

  /// Parses a document and returns its root element. If the document is not well-formed, the test
  /// fails.
  static func parse(
    _ document: String, file: StaticString = #filePath, line: UInt = #line
  ) throws -> ParsedElement {
    let parser = XMLParser(data: Data(document.utf8))
    let tree = TreeBuilder()
    parser.delegate = tree
    let isWellFormed = parser.parse()
    XCTAssertTrue(
      isWellFormed, "line \(parser.lineNumber): \(String(describing: parser.parserError))",
      file: file, line: line)
    return try XCTUnwrap(tree.root, file: file, line: line)
  }

  /// The element itself and all its descendants.
  var all: [ParsedElement] { [self] + children.flatMap(\.all) }

  func all(_ name: String) -> [ParsedElement] { all.filter { $0.name == name } }

  func first(_ name: String) -> ParsedElement? { all.first { $0.name == name } }

  func has(class style: String) -> Bool {
    (attributes["class"] ?? "").split(separator: " ").contains { $0 == style }
  }

  func number(_ attribute: String) -> Double? { attributes[attribute].flatMap(Double.init) }

  /// The text of the element and of its descendants, in document order.
  var wholeText: String { all.map(\.text).joined(separator: " ") }
}

private final class TreeBuilder: NSObject, XMLParserDelegate {
  var root: ParsedElement?
  private var open: [ParsedElement] = []

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    let element = ParsedElement(name: name, attributes: attributes)
    open.last?.children.append(element)
    if root == nil { root = element }
    open.append(element)
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    open.removeLast()
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    open.last?.text += text
  }
}
