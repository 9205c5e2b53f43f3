/// Reads an audiogram from a table with a column of frequencies and one for each ear.
///
///     frequency_hz,left_dbhl,right_dbhl
///     250,20,25
///     4000,45,>110
///
/// Columns are known by their headers, never by their order; those not known are passed over. Cells
/// are separated by commas, semicolons or tabs, whichever makes the header known; numbers may have
/// a decimal comma where it is not a comma. An empty cell is unknown. ">110" or "110 NR" means no
/// response up to 110 dB HL; "<-10" a response at the lowest level tested. Lines that begin with
/// "#", and empty ones, are passed over.
struct CSVDocument {
  private let lines: [(number: Int, text: Substring)]

  init(_ text: String) {
    var lines: [(Int, Substring)] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let start = line.first { !$0.isWhitespace }
      if let start, start != "#", start != "\u{FEFF}" || line.count > 1 {
        lines.append((index + 1, line.first == "\u{FEFF}" ? line.dropFirst() : line))
      }
    }
    if lines.first?.1.lowercased().hasPrefix("sep=") == true { lines.removeFirst() }
    self.lines = lines.map { (number: $0.0, text: $0.1) }
  }

  /// The profile of both ears.
  func profile() throws(UnreadableDocument) -> ImportedProfile {
    let (separator, columns) = try header()
    var points = PointCollection()
    for line in lines.dropFirst() {
      let row = try CSVRow(line.text, line: line.number, separator: separator)
      guard !row.isEmpty else { continue }
      if let extra = row.cells.dropFirst(columns.count).firstIndex(where: { !$0.isEmpty }) {
        throw .invalid(
          place: "line \(row.line), cell \(extra + 1)",
          reason: "\(String(row.cells[extra]).quoted) is beyond the \(columns.count) columns "
            + "of the header")
      }
      try CSVReading(row: row, columns: columns, decimalComma: separator != ",").add(to: &points)
    }
    guard let profile = points.profile(measuredAt: nil) else {
      throw .noAudiogram(reason: "the table holds no threshold")
    }
    return ImportedProfile(profile: profile, day: nil, place: "")
  }

  private func header() throws(UnreadableDocument) -> (Character, [CSVColumn?]) {
    guard let first = lines.first else { throw .unknownFormat(hint: "it is empty") }
    for separator: Character in ["\t", ";", ","] {
      let row = try CSVRow(first.text, line: first.number, separator: separator)
      let columns = row.cells.map { CSVColumn(header: $0) }
      let known = columns.compactMap { $0 }
      let hasFrequency =
        known.contains(.frequency(inHertz: 1)) || known.contains(.frequency(inHertz: 1000))
      guard hasFrequency, known.contains(.threshold(.left)) || known.contains(.threshold(.right))
      else { continue }
      let isTwice =
        Set(known).count < known.count
        || Set(known).isSuperset(of: [.frequency(inHertz: 1), .frequency(inHertz: 1000)])
      guard !isTwice else {
        throw .invalid(place: "line \(first.number)", reason: "a column stands twice")
      }
      return (separator, columns)
    }
    throw .unknownFormat(
      hint: "line \(first.number) begins \(String(first.text.prefix(60)).quoted); a table needs "
        + "the columns frequency_hz and left_dbhl or right_dbhl")
  }
}
