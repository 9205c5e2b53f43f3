/// Reads an audiogram from a table with a column for the frequencies and a column for each ear.
///
///     frequency_hz,left_dbhl,right_dbhl
///     250,20,25
///     4000,45,>110
///
/// Columns are identified by their headers and may have any order. A note lists unknown columns,
/// such as columns for bone conduction. A column "unit" must contain only dB or dB HL. A column
/// "date" must contain the same date in all rows. The columns left_ucl_dbhl and right_ucl_dbhl
/// contain discomfort levels. Empty lines and lines that start with "#" are ignored.
///
/// The separator is a tab, a semicolon or a comma. The parser tries first the tab, then the
/// semicolon and then the comma. The parser uses the first separator that splits the header into
/// known columns. If the separator is a semicolon or a tab, numbers may have a decimal comma.
///
/// An empty cell, "-", "n/a" and "DNT" mean that the threshold is unknown. The cells ">110",
/// "NR@110" and "110 NR" mean that the listener did not respond up to 110 dB HL. A cell with only
/// "NR" means that the listener did not respond up to the maximum level that audiometers usually
/// present. In a column of discomfort levels, a cell with only "NR" counts as empty. The cell
/// "<-10" means that the listener responded at the lowest tested level, which was -10 dB HL.
///
/// A table may also be transposed. In a transposed table, the frequencies are in the first row, and
/// the names of the ears are in the first column. A table without a header has two or three
/// columns. The first column is the frequency, the second column is the left ear, and the third
/// column is the right ear. ``ImportedProfile/notes`` lists the assumptions that the parser made.
struct CSVDocument {
  private let text: String

  init(_ text: String) { self.text = text }

  /// Reads the profile of both ears.
  func profile() throws(UnreadableDocument) -> ImportedProfile {
    var lines = CSVLines(text)
    guard let first = lines.next() else { throw .unknownFormat(hint: "it is empty") }
    for separator in ["\t", ";", ","] as [Character] {
      let cells = try first.cells(separator)
      if let header = try CSVHeader(cells, separator) {
        return try profile(of: lines, CSVContent(header: header))
      }
      if let columns = try columns(startingWith: cells, lines, separator) {
        guard let header = try CSVHeader(columns[0], separator) else {
          throw .unknownFormat(
            hint: "line \(first.number) has frequencies; the first column needs left and right")
        }
        var content = CSVContent(header: header)
        for column in columns.dropFirst() { try content.add(column) }
        return try content.profile()
      }
      if (2...3).contains(cells.count), cells[0].isFrequency() {
        let names = zip(cells, ["frequency_hz", "left_dbhl", "right_dbhl"])
          .map { CSVCell(text: $1, line: $0.line, column: $0.column) }
        guard let header = try CSVHeader(names, separator) else { continue }
        let ears = cells.count == 2 ? " and left ear" : ", left ear and right ear"
        let note = "no header: read as frequency in Hz\(ears) in dB HL"
        return try profile(of: CSVLines(text), CSVContent(header: header, notes: [note]))
      }
    }
    throw .unknownFormat(
      hint: "line \(first.number) starts with \(String(first.text.prefix(60)).inQuotationMarks); "
        + "a table needs the columns frequency_hz and left_dbhl or right_dbhl")
  }

  /// Reads the lines after the header.
  private func profile(
    of lines: CSVLines, _ empty: CSVContent
  ) throws(UnreadableDocument) -> ImportedProfile {
    var content = empty
    let header = content.header
    for line in lines {
      let row = try line.cells(header.separator)
      if let extra = row.dropFirst(header.count).first(where: { !$0.text.isEmpty }) {
        throw .invalid(
          position: extra.position,
          reason: "\(extra.text.inQuotationMarks) is outside the \(header.count) columns of the "
            + "header")
      }
      try content.add(row)
    }
    return try content.profile()
  }

  /// Reads all rows of a transposed table and returns the columns of the table. The first column
  /// contains the names of the rows. Returns nil if the first row does not contain frequencies.
  private func columns(
    startingWith first: [CSVCell], _ lines: CSVLines, _ separator: Character
  ) throws(UnreadableDocument) -> [[CSVCell]]? {
    let factor = first[0].frequencyFactor
    guard first.count > 2, !first[0].text.contains(where: \.isNumber),
      first.dropFirst().contains(where: { $0.isFrequency(factor: factor) })
    else { return nil }
    var rows = [first]
    rows[0][0].text = factor == 1 ? "frequency_hz" : "frequency_khz"
    for line in lines where rows.count <= CSVLine.maximumCellCount {
      let row = try line.cells(separator)
      if row.contains(where: { !$0.text.isEmpty }) { rows.append(row) }
    }
    return first.indices.filter { $0 == 0 || !first[$0].text.isEmpty }.map { index in
      rows.map { row in
        index < row.count ? row[index] : CSVCell(text: "", line: row[0].line, column: index + 1)
      }
    }
  }
}
