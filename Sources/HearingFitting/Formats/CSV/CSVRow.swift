/// One line of a table, split into cells.
struct CSVRow {
  /// The maximum number of cells in a line.
  static let maximumCellCount = 1000

  /// The line number, from 1.
  let line: Int
  /// The cells, without leading and trailing white space.
  let cells: [Substring]
  /// If the cells are a column of the table: the index of the column, and the line numbers of the
  /// cells. Nil if the cells are a line of the table.
  private var column: (index: Int, lines: [Int])?

  /// Whether all cells are empty.
  var isEmpty: Bool { cells.allSatisfy(\.isEmpty) }

  /// Creates a row from a column of a table.
  private init(column index: Int, cells: [Substring], lines: [Int]) {
    self.cells = cells
    line = lines[0]
    column = (index, lines)
  }

  /// The position of a cell, such as "line 2, cell 3".
  func position(of cell: Int) -> String {
    guard let column else { return "line \(line), cell \(cell + 1)" }
    return "line \(column.lines[cell]), cell \(column.index + 1)"
  }

  /// Splits a line into cells. A cell may be in quotation marks. A quotation mark inside such a
  /// cell is doubled (RFC 4180).
  ///
  /// - Throws: ``UnreadableDocument`` if a quotation mark is not closed or if there are too many
  ///   cells.
  init(_ text: Substring, line: Int, separator: Character) throws(UnreadableDocument) {
    var cells: [Substring] = []
    var cell = ""
    var (isQuoted, isOpen) = (false, false)
    for character in text {
      switch character {
      case "\"" where isOpen: isOpen = false
      case "\"" where isQuoted:
        cell.append(character)
        isOpen = true
      case "\"" where cell.allSatisfy(\.isWhitespace):
        cell = ""
        (isQuoted, isOpen) = (true, true)
      case separator where !isOpen:
        guard cells.count < Self.maximumCellCount else {
          throw .invalid(
            position: "line \(line)",
            reason: "more than \(Self.maximumCellCount) cells are not read")
        }
        cells.append(Self.trimmed(cell))
        cell = ""
        isQuoted = false
      default: cell.append(character)
      }
    }
    guard !isOpen else {
      throw .malformed(reason: "line \(line): an unclosed quotation mark")
    }
    cells.append(Self.trimmed(cell))
    self.line = line
    self.cells = cells
  }

  /// If this row contains frequencies, reads the other rows and returns the columns of the table.
  /// The first one contains the names of the rows. Nil if this row contains no frequencies.
  func columns(
    with lines: inout CSVLines, _ separator: Character
  ) throws(UnreadableDocument) -> [CSVRow]? {
    let label = cells[0]
    guard cells.count > 2, !label.contains(where: \.isNumber),
      cells.dropFirst().contains(where: { $0.isFrequency(in: label) })
    else { return nil }
    var rows = [self]
    while let line = lines.next(), rows.count <= Self.maximumCellCount {
      let row = try CSVRow(line.text, line: line.number, separator: separator)
      if !row.isEmpty { rows.append(row) }
    }
    let name = CSVColumn(header: label) == .frequency ? label : "frequency_hz"
    return cells.indices.filter { $0 == 0 || !cells[$0].isEmpty }.map { index in
      var column = rows.map { index < $0.cells.count ? $0.cells[index] : "" }
      if index == 0 { column[0] = name }
      return CSVRow(column: index, cells: column, lines: rows.map(\.line))
    }
  }

  private static func trimmed(_ cell: String) -> Substring {
    var rest = cell.drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }
}

/// Iterates over the lines of a table. Empty lines, comments and Excel's "sep=" line are skipped.
struct CSVLines: IteratorProtocol {
  private var rest: Substring
  private var number = 0

  init(_ text: String) {
    rest = text.first == "\u{FEFF}" ? text.dropFirst() : text[...]
  }

  /// Returns the next line and its number, counted from 1.
  mutating func next() -> (number: Int, text: Substring)? {
    while !rest.isEmpty {
      let line = rest.prefix { !$0.isNewline }
      rest = rest[line.endIndex...].dropFirst()
      number += 1
      guard let start = line.first(where: { !$0.isWhitespace }), start != "#" else { continue }
      guard line.utf8.count > 8 || !line.lowercased().hasPrefix("sep=") else { continue }
      return (number, line)
    }
    return nil
  }
}
