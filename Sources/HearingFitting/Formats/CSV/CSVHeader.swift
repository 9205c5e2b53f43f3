/// The header of a table: the position of each column.
struct CSVHeader {
  let separator: Character
  /// The number of columns, including unknown ones.
  let count: Int
  private var indices: [CSVColumn: Int] = [:]

  /// Whether numbers may have a decimal comma.
  var allowsDecimalComma: Bool { separator != "," }

  /// The index of a column, from 0; nil: missing.
  subscript(column: CSVColumn) -> Int? { indices[column] }

  /// Parses the header with the first separator that yields known columns.
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
        throw .invalid(place: "line \(line.number)", reason: "a column occurs twice")
      }
      self.separator = separator
      count = row.cells.count
      self.indices = indices
      return
    }
    throw .unknownFormat(
      hint:
        "line \(line.number) starts with \(String(line.text.prefix(60)).inQuotationMarks); a table needs "
        + "the columns frequency_hz and left_dbhl or right_dbhl")
  }
}

/// The content of a column in a table of thresholds, identified by its header.
enum CSVColumn: Hashable {
  case frequency(inHertz: Int)
  case threshold(Ear)
  case isMasked(Ear)
  case isNoResponse(Ear)

  /// Parses a header such as "frequency_hz", "Left (dB HL)" or "right_masked", in any case and
  /// punctuation; nil for all others.
  init?(header: some StringProtocol) {
    guard header.utf8.count <= 100 else { return nil }
    var name = String(header.lowercased().filter { $0.isLetter || $0.isNumber })
    for (unit, factor) in [("khz", 1000), ("hz", 1), ("", 1)] where name.hasSuffix(unit) {
      if ["frequency", "freq", "f", unit.isEmpty ? "frequency" : ""].contains(
        String(name.dropLast(unit.count)))
      {
        self = .frequency(inHertz: factor)
        return
      }
    }
    for (ear, starts) in [(Ear.left, ["left", "l"]), (.right, ["right", "r"])] {
      guard let start = starts.first(where: name.hasPrefix) else { continue }
      name.removeFirst(start.count)
      if name.hasPrefix("ear") { name.removeFirst(3) }
      if name.hasPrefix("threshold") { name.removeFirst(9) }
      switch name {
      case "", "dbhl", "db", "hl": self = .threshold(ear)
      case "masked", "ismasked": self = .isMasked(ear)
      case "noresponse", "isnoresponse", "nr": self = .isNoResponse(ear)
      default: return nil
      }
      return
    }
    return nil
  }
}
