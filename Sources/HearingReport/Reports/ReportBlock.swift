/// A part of a section in a report, such as a paragraph, a list, a table or a picture.
///
///     ReportSection(title: "Measured", blocks: [
///       .paragraph("What the processor did to a recording."),
///       .picture(svg, caption: "Before and after."),
///       .table(table),
///     ])
///
/// Later versions of the package may add kinds of blocks. All texts are escaped. Therefore texts
/// from an untrusted source are safe.
public struct ReportBlock: Sendable, Equatable {
  private enum Content: Sendable, Equatable {
    case element(MarkupElement)
    case picture(SVGPicture, caption: String)
  }

  /// A term and its definition, or a name and its value.
  typealias Term = (key: String, value: String)

  private let content: Content
  /// Whether the block needs the script that switches between two audio players
  /// (``comparisonScript``).
  private(set) var isComparison = false

  /// A paragraph of text.
  public static func paragraph(_ text: String) -> ReportBlock {
    ReportBlock(content: .element(MarkupElement("p", text: text)))
  }

  /// Highlighted paragraphs with advice to the reader.
  public static func advice(_ texts: [String]) -> ReportBlock {
    ReportBlock(
      "div", ["class": "advice", "role": "note"], texts.map { MarkupElement("p", text: $0) })
  }

  /// An unordered list.
  public static func list(_ points: [String]) -> ReportBlock {
    ReportBlock("ul", [:], points.map { MarkupElement("li", text: $0) })
  }

  /// Terms with their definitions, or names with their values.
  public static func terms(_ terms: KeyValuePairs<String, String>) -> ReportBlock {
    .terms(Array(terms))
  }

  static func terms(_ terms: [Term]) -> ReportBlock {
    let pairs = terms.map { name, meaning in
      MarkupElement(
        "div", [:], [MarkupElement("dt", text: name), MarkupElement("dd", text: meaning)])
    }
    return ReportBlock("dl", [:], pairs)
  }

  /// A picture with a caption of one or two sentences.
  public static func picture(_ picture: SVGPicture, caption: String) -> ReportBlock {
    ReportBlock(content: .picture(picture, caption: caption))
  }

  /// A table.
  public static func table(_ table: ReportTable) -> ReportBlock { .tables([table]) }

  /// Several tables, for example one for each ear. The tables are beside each other if there is
  /// enough space.
  public static func tables(_ tables: [ReportTable]) -> ReportBlock {
    let elements = tables.map(\.markup)
    return elements.count == 1
      ? ReportBlock(content: .element(elements[0]))
      : ReportBlock("div", ["class": "tables"], elements)
  }

  /// Two recordings of the same length, each with a player. A button switches between the
  /// recordings and keeps the playback position. The block also works if the page is opened from a
  /// file. If the browser blocks scripts, the players work, but the button does not work.
  ///
  /// The name of a recording is shown above its player. The best length of a name is two or three
  /// words. The path is the URL of the sound file, usually relative to the URL of the page.
  public static func comparison(
    _ first: (name: String, path: String), _ second: (name: String, path: String)
  ) -> ReportBlock {
    let players = [first, second].map { name, path in
      MarkupElement(
        "label", [:],
        [
          MarkupElement("span", text: name),
          MarkupElement("audio", ["controls": "controls", "preload": "auto", "src": path]),
        ])
    }
    let name = "Switch between \(first.name.lowercased()) and \(second.name.lowercased())"
    let button = MarkupElement("button", ["type": "button"], text: name)
    var block = ReportBlock("div", ["class": "comparison"], players + [button])
    block.isComparison = true
    return block
  }

  /// Blank lines, each with a name. A person fills in the lines by hand on paper.
  public static func form(_ names: [String]) -> ReportBlock {
    ReportBlock(
      "div", ["class": "form"],
      names.map { MarkupElement("p", [:], [MarkupElement("span", text: $0)]) })
  }
}

extension ReportBlock {
  private init(
    _ name: String, _ attributes: MarkupElement.Attributes, _ elements: [MarkupElement]
  ) {
    self.init(content: .element(MarkupElement(name, attributes, elements)))
  }

  /// Returns the block as HTML. The `id` must be unique in the page.
  func markup(id: String) -> MarkupElement {
    switch content {
    case .element(let element): element
    case .picture(let picture, let caption): picture.figure(id: id, caption: caption)
    }
  }

  /// The JavaScript code that switches between the two players of each comparison. Each page with a
  /// comparison contains this script. If you change the script, also change `comparisonScriptHash`.
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
}
