/// An element of a document in markup that is valid as XML and as HTML.
///
///     MarkupElement("p", ["class": "lead"], text: "a < b").written
///     // <p class="lead">a &lt; b</p>
///
/// Attribute values and texts are escaped. Therefore values and texts from an untrusted source are
/// safe. Only this module supplies the names of elements and attributes. Therefore the names are
/// not escaped. An attribute with the value nil is omitted.
struct MarkupElement: Sendable, Equatable {
  typealias Attributes = KeyValuePairs<String, String?>

  /// The element as text, with each inner element on a new line.
  let written: String

  /// The names of elements that are written without an end tag if the element is empty. These
  /// elements are SVG shapes, and HTML elements that never have an end tag.
  private static let empty: Set<String> = [
    "meta", "br", "circle", "line", "path", "polyline", "rect",
  ]

  init(_ name: String, _ attributes: Attributes = [:], _ elements: [MarkupElement] = []) {
    let lines = elements.map { "\n" + $0.written }
    self.init(name, attributes, content: lines.joined() + (lines.isEmpty ? "" : "\n"))
  }

  init(_ name: String, _ attributes: Attributes = [:], text: String) {
    self.init(name, attributes, content: text.escaped(isAttribute: false))
  }

  private init(_ name: String, _ attributes: Attributes, content: String) {
    var start = "<" + name
    for case (let attribute, let value?) in attributes {
      start += " \(attribute)=\"\(value.escaped(isAttribute: true))\""
    }
    written =
      content.isEmpty && Self.empty.contains(name)
      ? start + "/>" : "\(start)>\(content)</\(name)>"
  }
}

extension String {
  /// Escapes markup characters, and replaces characters that XML 1.0 forbids with U+FFFD.
  /// Characters that change the writing direction could cause a browser to show the following text
  /// in reverse order. Therefore these characters are also replaced with U+FFFD. Quotation marks
  /// are escaped only in attributes. HTML does not decode escaped characters in style sheets.
  /// Therefore quotation marks in style sheets must not be escaped.
  fileprivate func escaped(isAttribute: Bool) -> String {
    unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"" where isAttribute: "&quot;"
      case "\t", "\n", "\r": String(scalar)
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}", "\u{202A}"..."\u{202E}":
        "\u{FFFD}"
      default: String(scalar)
      }
    }.joined()
  }
}
