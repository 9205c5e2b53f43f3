import Foundation
import XCTest

@testable import HearingReport

/// A picture that was parsed from its SVG text.
struct ParsedPicture {
  /// A symbol in the picture that shows a value.
  struct Point {
    let title: String
    let x: Double
    let y: Double
    let element: ParsedElement

    func has(class style: String) -> Bool { element.has(class: style) }
    var paths: [String] { element.children.compactMap { $0.attributes["d"] } }
    var isCircle: Bool { element.children.contains { $0.name == "circle" } }
    var hasArrow: Bool { element.children.contains { $0.has(class: "hp-arrow") } }
  }

  let root: ParsedElement
  let texts: [TextBox]
  let points: [Point]

  init(
    _ picture: SVGPicture, isNarrow: Bool = false, file: StaticString = #filePath,
    line: UInt = #line
  ) throws {
    root = try ParsedElement.parse(
      isNarrow ? picture.narrowText : picture.text, file: file, line: line)
    texts = try root.all("text").map(TextBox.init)
    points = try root.all("g").filter { $0.has(class: "hp-point") }.map { group in
      let position = try Self.translation(of: group)
      return Point(
        title: try XCTUnwrap(group.first("title")).text, x: position.x, y: position.y,
        element: group)
    }
  }

  /// The horizontal and vertical translation in the transform attribute of a group.
  static func translation(of group: ParsedElement) throws -> (x: Double, y: Double) {
    let transform = try XCTUnwrap(group.attributes["transform"])
    let numbers = transform.dropFirst("translate(".count).dropLast().split(separator: " ")
    return (try XCTUnwrap(Double(numbers[0])), try XCTUnwrap(Double(numbers[1])))
  }

  /// The points of all polylines with the class `style`.
  func lines(class style: String) -> [[(x: Double, y: Double)]] {
    root.all("polyline").filter { $0.has(class: style) }.map { line in
      (line.attributes["points"] ?? "").split(separator: " ").compactMap { pair in
        let numbers = pair.split(separator: ",").compactMap { Double($0) }
        return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
      }
    }
  }

  /// The coordinates of a value on an axis. They are computed from the axis label `text`.
  func position(of text: String, where isWanted: (TextBox) -> Bool = { _ in true }) throws -> (
    x: Double, y: Double
  ) {
    let box = try XCTUnwrap(texts.first { $0.text == text && isWanted($0) }, text)
    let size = (box.bottom - box.top) / 1.05
    return ((box.left + box.right) / 2, box.bottom - 0.25 * size - 0.35 * size)
  }

  var visibleText: String { texts.map(\.text).joined(separator: "\n") }
}
