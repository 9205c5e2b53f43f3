/// The header of a table, which defines the position of each column.
struct CSVHeader {
  let separator: Character
  /// The number of columns, including unknown ones.
  let count: Int
  private var indices: [CSVColumn: Int] = [:]

  /// Whether numbers may have a decimal comma.
  var allowsDecimalComma: Bool { separator != "," }

  /// The index of a column, counted from 0; nil if the column is missing.
  subscript(column: CSVColumn) -> Int? { indices[column] }

  private static let separators: [Character] = ["\t", ";", ","]

  /// Parses the header with the first separator that gives known columns; nil if there is no such
  /// separator.
  init?(_ line: (number: Int, text: Substring)?) throws(UnreadableDocument) {
    guard let line else { return nil }
    for separator in Self.separators {
      let row = try CSVRow(line.text, line: line.number, separator: separator)
      guard let header = try CSVHeader(row.cells, separator, line: line.number) else { continue }
      self = header
      return
    }
    return nil
  }

  /// Parses the cells of a header; nil if there is no column of frequencies or no column of
  /// thresholds.
  private init?(
    _ cells: [Substring], _ separator: Character, line: Int
  ) throws(UnreadableDocument) {
    var indices: [CSVColumn: Int] = [:]
    var isTwice = false
    for (index, cell) in cells.enumerated() {
      guard let column = CSVColumn(header: cell) else { continue }
      if indices.updateValue(index, forKey: column) != nil { isTwice = true }
    }
    let frequencies = [CSVColumn.frequency(inHertz: 1), .frequency(inHertz: 1000)]
      .count { indices[$0] != nil }
    guard frequencies > 0, Ear.allCases.contains(where: { indices[.threshold($0)] != nil })
    else { return nil }
    guard !isTwice, frequencies == 1 else {
      throw .invalid(position: "line \(line)", reason: "a column occurs twice")
    }
    self.separator = separator
    count = cells.count
    self.indices = indices
  }

  /// Parses a table with frequencies in its first row and ears in its first column. Returns the
  /// header, and the columns of the table as rows; nil if the first row has no frequencies.
  static func withFrequenciesInRow(
    _ first: (number: Int, text: Substring)?, _ lines: inout CSVLines
  ) throws(UnreadableDocument) -> (header: CSVHeader, rows: [CSVRow])? {
    guard let first else { return nil }
    for separator in separators {
      let row = try CSVRow(first.text, line: first.number, separator: separator)
      let label = row.cells[0]
      guard row.cells.count > 2, !label.contains(where: \.isNumber),
        row.cells.dropFirst().contains(where: { $0.isFrequency(in: label) })
      else { continue }
      let isFrequency = if case .frequency = CSVColumn(header: label) { true } else { false }
      var cells = [[isFrequency ? label : "frequency_hz"]]
      cells += row.cells.dropFirst().map { [$0] }
      var lineNumbers = [first.number]
      while let line = lines.next(), lineNumbers.count <= CSVRow.maximumCellCount {
        let row = try CSVRow(line.text, line: line.number, separator: separator)
        guard !row.isEmpty else { continue }
        for index in cells.indices {
          cells[index].append(index < row.cells.count ? row.cells[index] : "")
        }
        lineNumbers.append(line.number)
      }
      guard let header = try CSVHeader(cells[0], separator, line: first.number) else {
        throw .unknownFormat(
          hint: "line \(first.number) has frequencies; the first column needs left and right")
      }
      let rows = cells.dropFirst().enumerated().compactMap { index, column in
        column[0].isEmpty ? nil : CSVRow(column: index + 1, cells: column, lines: lineNumbers)
      }
      return (header, rows)
    }
    return nil
  }

  /// If a table begins with numbers, the header that is assumed: frequency, left, right. Nil for
  /// any other line.
  static func assumed(
    for line: (number: Int, text: Substring)
  ) throws(UnreadableDocument) -> CSVHeader? {
    for separator in separators {
      let row = try CSVRow(line.text, line: line.number, separator: separator)
      guard (2...3).contains(row.cells.count), row.cells[0].isFrequency(in: "") else { continue }
      return try CSVHeader(
        ["frequency_hz", "left_dbhl", "right_dbhl"].prefix(row.cells.count).map { $0 }, separator,
        line: line.number)
    }
    return nil
  }

  /// The error for a table without a header.
  static func missing(_ line: (number: Int, text: Substring)?) -> UnreadableDocument {
    guard let line else { return .unknownFormat(hint: "it is empty") }
    return .unknownFormat(
      hint:
        "line \(line.number) starts with \(String(line.text.prefix(60)).inQuotationMarks); a table needs "
        + "the columns frequency_hz and left_dbhl or right_dbhl")
  }
}

extension Substring {
  /// Whether the text can be an audiometric frequency: a number, with or without a unit. The unit
  /// is kHz if the text or the label of the row contains a "k".
  fileprivate func isFrequency(in label: Substring) -> Bool {
    let digits = prefix { $0.isNumber || $0 == "." || $0 == "," }
    guard let value = QuantityText.value(of: digits, decimalComma: true) else { return false }
    let isKilo = (label + dropFirst(digits.count)).lowercased().contains("k")
    return Audiogram.frequencyRange.contains(value * (isKilo ? 1000 : 1))
  }
}

/// The meaning of a column in a table of thresholds. The header of the column determines the
/// meaning.
enum CSVColumn: Hashable {
  case frequency(inHertz: Int)
  case threshold(Ear)
  case discomfort(Ear)
  case isMasked(Ear)
  case isNoResponse(Ear)

  /// Parses a header such as "frequency_hz", "Left (dB HL)" or "right_masked". Case and punctuation
  /// do not matter. Nil if the header is unknown.
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
      case "discomfort", "discomfortdbhl", "ucl", "ucldbhl", "ldl", "ldldbhl", "ull", "ulldbhl":
        self = .discomfort(ear)
      case "masked", "ismasked": self = .isMasked(ear)
      case "noresponse", "isnoresponse", "nr": self = .isNoResponse(ear)
      default: return nil
      }
      return
    }
    return nil
  }
}
