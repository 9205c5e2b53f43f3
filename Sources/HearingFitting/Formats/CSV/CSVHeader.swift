/// The first line of a table: which column stands where.
struct CSVHeader {
  let separator: Character
  /// How many columns there are, known or not.
  let count: Int
  private var indices: [CSVColumn: Int] = [:]

  /// Whether numbers may have a comma for a point.
  var allowsDecimalComma: Bool { separator != "," }

  /// Where a column stands, from 0; nil: nowhere.
  subscript(column: CSVColumn) -> Int? { indices[column] }

  /// Reads the header, by whichever separator makes it known.
  init(_ line: (number: Int, text: Substring)?) throws(UnreadableDocument) {
    guard let line else { throw .unknownFormat(hint: "it is empty") }
    for separator: Character in ["\t", ";", ","] {
      let row = try CSVRow(line.text, line: line.number, separator: separator)
      var indices: [CSVColumn: Int] = [:]
      var isTwice = false
      for (index, cell) in row.cells.enumerated() {
        guard let column = CSVColumn(header: cell) else { continue }
        if indices.updateValue(index, forKey: column) != nil { isTwice = true }
      }
      let frequencies = [CSVColumn.frequency(inHertz: 1), .frequency(inHertz: 1000)]
        .count { indices[$0] != nil }
      guard frequencies > 0, Ear.allCases.contains(where: { indices[.threshold($0)] != nil })
      else { continue }
      guard !isTwice, frequencies == 1 else {
        throw .invalid(place: "line \(line.number)", reason: "a column stands twice")
      }
      self.separator = separator
      count = row.cells.count
      self.indices = indices
      return
    }
    throw .unknownFormat(
      hint:
        "line \(line.number) begins \(String(line.text.prefix(60)).inQuotationMarks); a table needs "
        + "the columns frequency_hz and left_dbhl or right_dbhl")
  }
}
