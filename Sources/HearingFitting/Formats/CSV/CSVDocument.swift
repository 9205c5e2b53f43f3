/// Reads an audiogram from a table with a column of frequencies and one for each ear.
///
///     frequency_hz,left_dbhl,right_dbhl
///     250,20,25
///     4000,45,>110
///
/// Columns are identified by their headers, in any order; unknown columns are ignored. The separator
/// is the comma, semicolon or tab with which the header can be read; with a semicolon or a tab,
/// numbers may have a decimal comma. An empty cell is unknown. ">110" or "110 NR" means no response
/// up to 110 dB HL; "<-10" a response at the lowest level tested. Empty lines and lines that start
/// with "#" are ignored.
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
            "\(String(row.cells[extra]).inQuotationMarks) is outside the \(header.count) columns "
            + "of the header")
      }
      try CSVReading(row: row, header: header).add(to: &points)
    }
    guard let profile = points.profile(measuredAt: nil) else {
      throw .noAudiogram(reason: "the table contains no threshold")
    }
    return ImportedProfile(profile: profile, day: nil, place: "")
  }
}

/// Reads the points of one row of a table.
struct CSVReading {
  let row: CSVRow
  let header: CSVHeader

  /// Adds the points of both ears.
  func add(to points: inout PointCollection) throws(UnreadableDocument) {
    for ear in Ear.allCases {
      guard let (text, place) = cell(.threshold(ear)) else { continue }
      let frequency = try frequency()
      var point = try threshold(String(text), at: place)
      point.frequency = frequency
      point.isMasked = try flag(.isMasked(ear))
      if try flag(.isNoResponse(ear)) { point.isNoResponse = true }
      try points.add(point, to: ear, at: place)
    }
  }

  /// The text and the place of a column's cell; nil if the cell is empty.
  private func cell(_ column: CSVColumn) -> (text: Substring, place: String)? {
    guard let index = header[column], index < row.cells.count,
      !row.cells[index].isEmpty
    else { return nil }
    return (row.cells[index], "line \(row.line), cell \(index + 1)")
  }

  private func frequency() throws(UnreadableDocument) -> Double {
    guard let found = cell(.frequency(inHertz: 1)) ?? cell(.frequency(inHertz: 1000)) else {
      throw .invalid(place: "line \(row.line)", reason: "a threshold without a frequency")
    }
    var digits = found.text.lowercased()
    var factor = header[.frequency(inHertz: 1000)] != nil ? 1000.0 : 1
    for (unit, unitFactor) in [("khz", 1000.0), ("hz", 1), ("k", 1000)] where digits.hasSuffix(unit)
    {
      digits.removeLast(unit.count)
      factor = unitFactor
      break
    }
    guard let value = QuantityText.value(of: digits, decimalComma: header.allowsDecimalComma) else {
      throw .invalid(
        place: found.place, reason: "\(String(found.text).inQuotationMarks) is not a frequency")
    }
    let frequency = value * factor
    guard Audiogram.frequencyRange.contains(frequency) else {
      let reason = Audiogram.Invalid.frequencyOutOfRange(index: 0, frequency: frequency)
      throw .invalid(place: found.place, reason: reason.reason)
    }
    return frequency
  }

  /// The threshold and its flags; the frequency is not yet set.
  private func threshold(
    _ text: String, at place: String
  ) throws(UnreadableDocument) -> Audiogram.Point {
    var digits = Substring(text)
    var point = Audiogram.Point(frequency: 0, threshold: 0)
    if let first = digits.first, [">", "≥"].contains(first) {
      point.isNoResponse = true
    } else if let first = digits.first, ["<", "≤"].contains(first) {
      point.isClamped = true
    }
    if point.isNoResponse || point.isClamped {
      digits.removeFirst()
      if digits.first == "=" { digits.removeFirst() }
    }
    if digits.lowercased().hasSuffix("nr") {
      digits.removeLast(2)
      point.isNoResponse = true
    }
    guard let value = QuantityText.value(of: digits, decimalComma: header.allowsDecimalComma) else {
      throw .invalid(place: place, reason: "\(text.inQuotationMarks) is not a threshold")
    }
    point.threshold = value
    return point
  }

  private func flag(_ column: CSVColumn) throws(UnreadableDocument) -> Bool {
    guard let (text, place) = cell(column) else { return false }
    switch text.lowercased() {
    case "yes", "true", "1", "y", "x": return true
    case "no", "false", "0", "n": return false
    default:
      throw .invalid(place: place, reason: "\(String(text).inQuotationMarks) is neither yes nor no")
    }
  }
}
