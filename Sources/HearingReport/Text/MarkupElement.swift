/// An element of a document in markup that is valid as XML and as HTML.
///
///     MarkupElement("p", ["class": "lead"], text: "a < b").written
///     // <p class="lead">a &lt; b</p>
///
/// Only this module supplies the names of elements and attributes. Attribute values and text may
/// come from an untrusted source. Attribute values and text are escaped.
struct MarkupElement: Sendable, Equatable {
  struct Attribute: Sendable, Equatable {
    let name: String
    let value: String
  }

  enum Child: Sendable, Equatable {
    case element(MarkupElement)
    case text(String)
  }

  let name: String
  var attributes: [Attribute]
  var children: [Child]

  init(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], children: [Child]) {
    self.name = name
    self.attributes = attributes.map { Attribute(name: $0.key, value: $0.value) }
    self.children = children
  }

  init(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:],
    _ elements: [MarkupElement] = []
  ) {
    self.init(name, attributes, children: elements.map(Child.element))
  }

  init(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], text: String) {
    self.init(name, attributes, children: [.text(text)])
  }
}

extension MarkupElement {
  /// The names of elements that have no end tag in HTML or no content in SVG.
  private static let empty: Set<String> = [
    "meta", "br", "circle", "line", "path", "polyline", "rect",
  ]

  /// The element as text. If an element contains only elements, it is written with line breaks.
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
  /// Escapes markup characters, and replaces characters that XML 1.0 forbids by U+FFFD. Quotation
  /// marks are escaped only in attributes, because HTML does not decode escaped characters in style
  /// sheets.
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
