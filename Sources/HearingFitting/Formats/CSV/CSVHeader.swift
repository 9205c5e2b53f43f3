/// The header of a table, which defines the meaning of each column.
struct CSVHeader {
  let separator: Character
  /// The number of columns of the table, including unknown columns.
  let count: Int
  /// The factor that converts the frequencies in the table to Hz: 1 or 1000.
  let frequencyFactor: Double
  /// A note with the names of the columns that are not read; empty if every column is read.
  let notes: [String]
  private let indices: [CSVColumn: Int]

  /// Whether numbers may have a decimal comma.
  var allowsDecimalComma: Bool { separator != "," }

  /// The index of a column, counted from 0; nil if the column is missing.
  subscript(column: CSVColumn) -> Int? { indices[column] }

  /// Parses the cells of a header; nil if there is no column of frequencies or no column of
  /// thresholds.
  init?(_ cells: [CSVCell], _ separator: Character) throws(UnreadableDocument) {
    let columns = cells.map { CSVColumn(header: $0.text) }
    let known = columns.enumerated().compactMap { index, column in column.map { ($0, index) } }
    indices = Dictionary(known) { first, _ in first }
    guard let frequency = indices[.frequency],
      Ear.allCases.contains(where: { columns.contains(.threshold($0)) })
    else { return nil }
    guard indices.count == known.count else {
      throw .invalid(position: "line \(cells[0].line)", reason: "a column occurs twice")
    }
    let unknown = zip(cells, columns).filter { ($1 == nil || $1 == .date) && !$0.text.isEmpty }
      .map { cell, _ in cell.text.inQuotationMarks }
    notes = unknown.isEmpty ? [] : ["columns that are not read: \(unknown.joined(separator: ", "))"]
    self.separator = separator
    count = cells.count
    frequencyFactor = cells[frequency].frequencyFactor
  }
}

/// The meaning of a column in a table of thresholds, as defined by the header of the column.
enum CSVColumn: Hashable {
  case frequency
  case threshold(Ear)
  case discomfort(Ear)
  case isMasked(Ear)
  case isNoResponse(Ear)
  /// The column `unit` contains the unit of the thresholds, which must be dB HL. The column `date`
  /// contains the day of the measurement.
  case unit, date

  /// Parses a header such as "frequency_hz", "Left AC (dB HL)" or "RE masked". Punctuation is
  /// ignored, and upper and lower case are treated as equal. Returns nil if the header is unknown.
  init?(header: String) {
    guard header.utf8.count <= 100 else { return nil }
    var name = header.lowercased().filter { $0.isLetter || $0.isNumber }
    let unit = ["khz", "hz"].first(where: name.hasSuffix) ?? ""
    let others: [Substring: CSVColumn] = [
      "frequency": .frequency, "frequenz": .frequency, "freq": .frequency, "f": .frequency,
      "": .frequency, "unit": .unit, "date": .date, "datum": .date,
    ]
    if !name.isEmpty, let column = others[name.dropLast(unit.count)] {
      self = column
      return
    }
    for (ear, starts) in [(Ear.left, ["left", "links", "l"]), (.right, ["right", "rechts", "r"])] {
      guard let start = starts.first(where: name.hasPrefix) else { continue }
      name.removeFirst(start.count)
      for word in ["ear", "e", "ac", "threshold"] where name.hasPrefix(word) {
        name.removeFirst(word.count)
      }
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
