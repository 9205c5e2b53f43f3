import Foundation
import XCTest

/// The estimated bounding box of a text in a picture. The estimate assumes a wide font.
struct TextBox {
  let text: String
  let left: Double
  let top: Double
  let right: Double
  let bottom: Double

  /// The width of a character divided by the font size. The widths are mean values for DejaVu Sans,
  /// which is wider than most common fonts.
  private static func width(of character: Character) -> Double {
    switch character {
    case "i", "l", "j", "I", ".", ",", ":", "(", ")", " ": 0.39
    case "m", "w", "M", "W": 0.98
    case _ where character.isUppercase: 0.75
    default: 0.64
    }
  }

  init(_ element: ParsedElement) throws {
    let x = try XCTUnwrap(element.number("x"))
    let y = try XCTUnwrap(element.number("y"))
    let size = try XCTUnwrap(element.number("font-size"))
    text = element.text
    let boldness = element.has(class: "hp-title") ? 1.1 : 1
    let length = element.text.reduce(0) { $0 + Self.width(of: $1) } * size * boldness
    let start =
      switch element.attributes["text-anchor"] {
      case "middle": -length / 2
      case "end": -length
      default: 0.0
      }
    if element.attributes["transform"]?.hasPrefix("rotate(-90") == true {
      (left, right) = (x - 0.8 * size, x + 0.25 * size)
      (top, bottom) = (y - start - length, y - start)
    } else {
      (left, right) = (x + start, x + start + length)
      (top, bottom) = (y - 0.8 * size, y + 0.25 * size)
    }
  }

  func overlaps(_ other: TextBox) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }

  /// Whether the box is closer to a point than `distance` on both axes.
  func isWithin(_ distance: Double, of x: Double, _ y: Double) -> Bool {
    left - distance < x && x < right + distance && top - distance < y && y < bottom + distance
  }
}
