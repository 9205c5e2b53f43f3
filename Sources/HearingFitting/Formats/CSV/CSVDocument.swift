/// Reads an audiogram from a table with a column for the frequencies and a column for each ear.
///
///     frequency_hz,left_dbhl,right_dbhl
///     250,20,25
///     4000,45,>110
///
/// Columns are identified by their headers and may have any order. Unknown columns are ignored. The
/// separator is a comma, a semicolon or a tab, whichever separates the header into known columns.
/// With a semicolon or a tab, numbers may have a decimal comma. An empty cell is an unknown
/// threshold. ">110", "110 NR" and "NR@110" mean no response up to 110 dB HL. "NR" alone means no
/// response up to the maximum level that audiometers usually present. "<-10" means a response at
/// the lowest level tested, -10 dB HL. The columns left_ucl_dbhl and right_ucl_dbhl contain
/// discomfort levels. Empty lines and lines that start with "#" are ignored.
///
/// In another form of table, the first row contains the frequencies and the first column contains
/// the ears. If there is no header, the columns are frequency, left and right.
/// ``ImportedProfile/notes`` lists the assumptions that were made.
struct CSVDocument {
  private let text: String

  init(_ text: String) {
    self.text = text
  }

  /// The profile of both ears.
  func profile() throws(UnreadableDocument) -> ImportedProfile {
    var lines = CSVLines(text)
    guard let first = lines.next() else { throw .unknownFormat(hint: "it is empty") }
    var content = try content(startingWith: first, &lines)
    let header = content.header
    while let line = lines.next() {
      let row = try CSVRow(line.text, line: line.number, separator: header.separator)
      if let extra = row.cells.dropFirst(header.count).firstIndex(where: { !$0.isEmpty }) {
        throw .invalid(
          position: row.position(of: extra),
          reason:
            "\(String(row.cells[extra]).inQuotationMarks) is outside the \(header.count) columns "
            + "of the header")
      }
      if !row.isEmpty { try content.add(row) }
    }
    return try content.profile()
  }

  /// Reads the header, or the whole table if its first row contains the frequencies. The separator
  /// is the first one that gives known columns.
  private func content(
    startingWith first: CSVLines.Element, _ lines: inout CSVLines
  ) throws(UnreadableDocument) -> CSVContent {
    for separator in ["\t", ";", ","] as [Character] {
      let row = try CSVRow(first.text, line: first.number, separator: separator)
      if let header = try CSVHeader(row.cells, separator, line: row.line) {
        return CSVContent(header: header)
      }
      if let columns = try row.columns(with: &lines, separator) {
        guard let header = try CSVHeader(columns[0].cells, separator, line: row.line) else {
          throw .unknownFormat(
            hint: "line \(row.line) has frequencies; the first column needs left and right")
        }
        var content = CSVContent(header: header)
        for column in columns.dropFirst() { try content.add(column) }
        return content
      }
      let assumed: [Substring] = ["frequency_hz", "left_dbhl", "right_dbhl"]
      if (2...3).contains(row.cells.count), row.cells[0].isFrequency(in: ""),
        let header = try CSVHeader(
          Array(assumed.prefix(row.cells.count)), separator, line: row.line)
      {
        var content = CSVContent(header: header)
        content.notes.append(
          header.count == 2
            ? "no header: read as frequency in Hz and left ear in dB HL"
            : "no header: read as frequency in Hz, left ear and right ear in dB HL")
        lines = CSVLines(text)
        return content
      }
    }
    throw .unknownFormat(
      hint: "line \(first.number) starts with \(String(first.text.prefix(60)).inQuotationMarks); "
        + "a table needs the columns frequency_hz and left_dbhl or right_dbhl")
  }
}
