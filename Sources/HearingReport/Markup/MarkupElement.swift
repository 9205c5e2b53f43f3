/// An element of a document that both an XML and an HTML reader read alike.
///
///     MarkupElement("p", ["class": "lead"], text: "a < b").written
///     // <p class="lead">a &lt; b</p>
///
/// Names and attribute names are this module's own; attribute values and text may come from
/// anywhere and are escaped when written.
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
