extension ReportTable {
  /// The table as HTML, with the headings' scopes.
  var markup: MarkupElement {
    let body = rows.map { row in
      MarkupElement(
        "tr", [:],
        [MarkupElement("th", ["scope": "row"], text: row.title)]
          + row.cells.map { MarkupElement("td", text: $0) })
    }
    let table = MarkupElement(
      "table", [:],
      [
        MarkupElement("caption", text: caption), MarkupElement("thead", [:], head),
        MarkupElement("tbody", [:], body),
      ])
    // Reachable by keyboard, since it scrolls sideways where it is too wide.
    return MarkupElement(
      "div", ["class": "table", "tabindex": "0", "role": "region", "aria-label": caption], [table])
  }

  private var head: [MarkupElement] {
    let titles = columns.map { MarkupElement("th", ["scope": "col"], text: $0.title) }
    let corner = MarkupElement("th", ["scope": "col"], text: corner)
    guard columns.contains(where: { $0.group != nil }) else {
      return [MarkupElement("tr", [:], [corner] + titles)]
    }
    var groups: [(title: String?, width: Int)] = []
    for column in columns {
      if let last = groups.last, last.title == column.group {
        groups[groups.count - 1].width += 1
      } else {
        groups.append((column.group, 1))
      }
    }
    let first = groups.map { group in
      MarkupElement(
        group.title == nil ? "td" : "th", ["scope": "colgroup", "colspan": "\(group.width)"],
        text: group.title ?? "")
    }
    var tall = corner
    tall.attributes.append(.init(name: "rowspan", value: "2"))
    return [MarkupElement("tr", [:], [tall] + first), MarkupElement("tr", [:], titles)]
  }
}
