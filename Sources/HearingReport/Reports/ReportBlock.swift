/// A block of a section: a paragraph, a list, a table or a picture.
///
///     ReportSection(title: "Measured", blocks: [
///       .paragraph("What the processor did to a recording."),
///       .picture(svg, caption: "Before and after."),
///       .table(table),
///     ])
///
/// Later versions may add kinds of blocks. Texts may come from an untrusted source. All texts are
/// escaped.
public struct ReportBlock: Sendable, Equatable {
  enum Content: Sendable, Equatable {
    case paragraph(String)
    case advice([String])
    case list([String])
    case terms([Term])
    case picture(SVGPicture, caption: String)
    case tables([ReportTable])
    case comparison(Recording, Recording)
    case form([String])
  }

  /// An audio file that is stored beside the page.
  struct Recording: Sendable, Equatable {
    let name: String
    let path: String
  }

  struct Term: Sendable, Equatable {
    let name: String
    let meaning: String
  }

  let content: Content

  /// A paragraph of text.
  public static func paragraph(_ text: String) -> ReportBlock {
    ReportBlock(content: .paragraph(text))
  }

  /// Highlighted paragraphs with advice to the reader.
  public static func advice(_ texts: [String]) -> ReportBlock {
    ReportBlock(content: .advice(texts))
  }

  /// An unordered list.
  public static func list(_ points: [String]) -> ReportBlock {
    ReportBlock(content: .list(points))
  }

  /// Terms with their definitions, or names with their values.
  public static func terms(_ terms: KeyValuePairs<String, String>) -> ReportBlock {
    ReportBlock(content: .terms(terms.map { Term(name: $0.key, meaning: $0.value) }))
  }

  /// A picture with a caption of one or two sentences.
  public static func picture(_ picture: SVGPicture, caption: String) -> ReportBlock {
    ReportBlock(content: .picture(picture, caption: caption))
  }

  /// A table.
  public static func table(_ table: ReportTable) -> ReportBlock {
    ReportBlock(content: .tables([table]))
  }

  /// Several tables, for example one for each ear. The tables are beside each other if there is
  /// enough space.
  public static func tables(_ tables: [ReportTable]) -> ReportBlock {
    ReportBlock(content: .tables(tables))
  }

  /// Two recordings of the same length, each with a player. A button switches between the
  /// recordings, and the playback position does not change. The block also works if the page is
  /// opened from a file. If scripts are not available, only the button does not work.
  ///
  /// The name of a recording is shown above its player, in two or three words. The path is the URL
  /// of the file, usually relative to the page.
  public static func comparison(
    _ first: (name: String, path: String), _ second: (name: String, path: String)
  ) -> ReportBlock {
    ReportBlock(
      content: .comparison(
        Recording(name: first.name, path: first.path),
        Recording(name: second.name, path: second.path)))
  }

  /// Blank lines, each with a name, to be filled in by hand on paper.
  public static func form(_ names: [String]) -> ReportBlock {
    ReportBlock(content: .form(names))
  }

  static func terms(_ terms: [Term]) -> ReportBlock {
    ReportBlock(content: .terms(terms))
  }
}

extension ReportBlock {
  /// Returns the block as HTML. The `id` must occur only once in the page.
  func markup(id: String) -> MarkupElement {
    switch content {
    case .paragraph(let text):
      return MarkupElement("p", text: text)
    case .advice(let texts):
      return MarkupElement(
        "div", ["class": "advice", "role": "note"],
        texts.map { MarkupElement("p", text: $0) })
    case .list(let points):
      return MarkupElement("ul", [:], points.map { MarkupElement("li", text: $0) })
    case .terms(let terms):
      let pairs = terms.map { term in
        MarkupElement(
          "div", [:],
          [MarkupElement("dt", text: term.name), MarkupElement("dd", text: term.meaning)])
      }
      return MarkupElement("dl", [:], pairs)
    case .picture(let picture, let caption):
      let (wide, narrow) = picture.embedded(id: id)
      return MarkupElement(
        "figure", [:],
        [
          MarkupElement("div", ["class": "picture wide"], [wide]),
          MarkupElement("div", ["class": "picture narrow"], [narrow]),
          MarkupElement("figcaption", text: caption),
        ])
    case .tables(let tables):
      return tables.count == 1
        ? tables[0].markup : MarkupElement("div", ["class": "tables"], tables.map(\.markup))
    case .form(let names):
      return MarkupElement(
        "div", ["class": "form"],
        names.map { name in
          MarkupElement("p", [:], [MarkupElement("span", text: name)])
        })
    case .comparison(let first, let second):
      let players = [first, second].map { recording in
        MarkupElement(
          "label", [:],
          [
            MarkupElement("span", text: recording.name),
            MarkupElement(
              "audio", ["controls": "controls", "preload": "auto", "src": recording.path]),
          ])
      }
      let name = "Switch between \(first.name.lowercased()) and \(second.name.lowercased())"
      return MarkupElement(
        "div", ["class": "comparison"],
        players + [MarkupElement("button", ["type": "button"], text: name)])
    }
  }

  /// The script that switches between the two players of each comparison. Each page with a
  /// comparison contains this script. The constant `comparisonScriptHash` is the hash of exactly
  /// this text.
  static let comparisonScript = """
    for (const block of document.querySelectorAll('.comparison')) {
      const players = [...block.querySelectorAll('audio')];
      players.forEach(function (player, index) {
        const other = players[1 - index];
        player.addEventListener('play', function () { other.pause(); });
      });
      block.querySelector('button').addEventListener('click', function () {
        const from = players[1].paused ? players[0] : players[1];
        const to = players[from === players[0] ? 1 : 0];
        to.currentTime = from.currentTime;
        to.play();
      });
    }
    """

  /// The SHA-256 hash of `comparisonScript`, in the notation of a content security policy.
  static let comparisonScriptHash = "sha256-alkHeaXREOCNjef29ANZK4wD1FzN1nhZrikUwgwyHLY="

  var isComparison: Bool { if case .comparison = content { true } else { false } }
}
