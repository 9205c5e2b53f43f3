extension MarkupElement {
  /// Elements that HTML writes without an end, or SVG without content.
  private static let empty: Set<String> = [
    "meta", "br", "circle", "line", "path", "polyline", "rect",
  ]

  /// The element as text; elements that hold no text of their own are written one per line.
  var written: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    text += "<" + name
    for attribute in attributes {
      text += " \(attribute.name)=\"\(attribute.value.escaped(isAttribute: true))\""
    }
    if children.isEmpty, Self.empty.contains(name) {
      text += "/>"
      return
    }
    text += ">"
    let isBlock = !children.isEmpty && children.allSatisfy(\.isElement)
    for child in children {
      if isBlock { text += "\n" }
      switch child {
      case .element(let element): element.write(to: &text)
      case .text(let content): text += content.escaped(isAttribute: false)
      }
    }
    text += isBlock ? "\n</\(name)>" : "</\(name)>"
  }
}

extension MarkupElement.Child {
  fileprivate var isElement: Bool {
    switch self {
    case .element: true
    case .text: false
    }
  }
}

extension String {
  /// The text with the characters escaped that mean something in markup, and those that XML 1.0
  /// forbids replaced by U+FFFD. Quotation marks mean something in attributes only; in the text of
  /// a style sheet HTML would not read them back.
  fileprivate func escaped(isAttribute: Bool) -> String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"" where isAttribute: result.append(contentsOf: "&quot;".unicodeScalars)
      case "\t", "\n", "\r": result.append(scalar)
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value),
        "\u{FFFE}", "\u{FFFF}":
        result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
