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
  private let text: String

  init(_ text: String) {
    self.text = text
  }

  /// The profile of both ears.
  func profile() throws(UnreadableDocument) -> ImportedProfile {
    var lines = CSVLines(text)
    let header = try CSVHeader(lines.next())
    var points = PointCollection()
    while let line = lines.next() {
      let row = try CSVRow(line.text, line: line.number, separator: header.separator)
      guard !row.isEmpty else { continue }
      if let extra = row.cells.dropFirst(header.count).firstIndex(where: { !$0.isEmpty }) {
        throw .invalid(
          place: "line \(row.line), cell \(extra + 1)",
          reason:
            "\(String(row.cells[extra]).inQuotationMarks) is beyond the \(header.count) columns "
            + "of the header")
      }
      try CSVReading(row: row, header: header).add(to: &points)
    }
    guard let profile = points.profile(measuredAt: nil) else {
      throw .noAudiogram(reason: "the table holds no threshold")
    }
    return ImportedProfile(profile: profile, day: nil, place: "")
  }
}
