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
    let first = lines.next()
    let header: CSVHeader
    var content = CSVContent()
    if let found = try CSVHeader(first) {
      header = found
    } else if let (found, rows) = try CSVHeader.withFrequenciesInRow(first, &lines) {
      header = found
      for row in rows { try CSVReading(row: row, header: header).add(to: &content) }
    } else if let first, let found = try CSVHeader.assumed(for: first) {
      header = found
      content.notes.append(
        header[.threshold(.right)] == nil
          ? "no header: read as frequency in Hz and left ear in dB HL"
          : "no header: read as frequency in Hz, left ear and right ear in dB HL")
      lines = CSVLines(text)
    } else {
      throw CSVHeader.missing(first)
    }
    while let line = lines.next() {
      let row = try CSVRow(line.text, line: line.number, separator: header.separator)
      guard !row.isEmpty else { continue }
      if let extra = row.cells.dropFirst(header.count).firstIndex(where: { !$0.isEmpty }) {
        throw .invalid(
          position: row.position(of: extra),
          reason:
            "\(String(row.cells[extra]).inQuotationMarks) is outside the \(header.count) columns "
            + "of the header")
      }
      try CSVReading(row: row, header: header).add(to: &content)
    }
    return try content.profile()
  }
}

/// The content of a table that has been read so far.
struct CSVContent {
  var points = PointCollection()
  var discomfort = PointCollection()
  var notes: [String] = []

  func profile() throws(UnreadableDocument) -> ImportedProfile {
    guard var profile = points.profile(measuredAt: nil) else {
      throw .noAudiogram(reason: "the table contains no threshold")
    }
    let levels = discomfort.profile(measuredAt: nil)
    profile.leftDiscomfort = levels?.left
    profile.rightDiscomfort = levels?.right
    return ImportedProfile(profile: profile, day: nil, position: "", notes: notes)
  }
}

/// Reads the points of one row of a table.
struct CSVReading {
  let row: CSVRow
  let header: CSVHeader

  /// Adds the thresholds and the discomfort levels of both ears.
  func add(to content: inout CSVContent) throws(UnreadableDocument) {
    for ear in Ear.allCases {
      if let (text, position) = cell(.discomfort(ear)) {
        let point = try threshold(String(text), of: ear, at: position, &content.notes)
        try content.discomfort.add(point, to: ear, at: position)
      }
      guard let (text, position) = cell(.threshold(ear)) else { continue }
      var point = try threshold(String(text), of: ear, at: position, &content.notes)
      point.isMasked = try flag(.isMasked(ear))
      if try flag(.isNoResponse(ear)) { point.isNoResponse = true }
      try content.points.add(point, to: ear, at: position)
    }
  }

  /// The text and the position of the cell in a column; nil if the cell is empty.
  private func cell(_ column: CSVColumn) -> (text: Substring, position: String)? {
    guard let index = header[column], index < row.cells.count,
      !row.cells[index].isEmpty
    else { return nil }
    return (row.cells[index], row.position(of: index))
  }

  private func frequency() throws(UnreadableDocument) -> Double {
    guard let found = cell(.frequency(inHertz: 1)) ?? cell(.frequency(inHertz: 1000)) else {
      throw .invalid(position: "line \(row.line)", reason: "a threshold without a frequency")
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
        position: found.position,
        reason: "\(String(found.text).inQuotationMarks) is not a frequency")
    }
    let frequency = value * factor
    guard Audiogram.frequencyRange.contains(frequency) else {
      let reason = Audiogram.Invalid.frequencyOutOfRange(index: 0, frequency: frequency)
      throw .invalid(position: found.position, reason: reason.reason)
    }
    return frequency
  }

  /// Parses the threshold and the flags in a cell.
  private func threshold(
    _ text: String, of ear: Ear, at position: String, _ notes: inout [String]
  ) throws(UnreadableDocument) -> Audiogram.Point {
    var point = Audiogram.Point(frequency: try frequency(), threshold: 0)
    var digits = Substring(text)
    if let first = digits.first, [">", "≥"].contains(first) {
      point.isNoResponse = true
    } else if let first = digits.first, ["<", "≤"].contains(first) {
      point.isClamped = true
    }
    if point.isNoResponse || point.isClamped {
      digits.removeFirst()
      if digits.first == "=" { digits.removeFirst() }
    }
    let lowercased = digits.lowercased()
    if lowercased.hasPrefix("nr") {
      digits = digits.dropFirst(2).drop { $0 == "@" || $0.isWhitespace }
      point.isNoResponse = true
      guard !digits.isEmpty else {
        point.threshold = Self.usualMaximum(at: point.frequency)
        notes.append(
          "\(point.frequency.plain) Hz, \(ear.rawValue) ear: NR without a level: "
            + "\(point.threshold.plain) dB HL is assumed as the highest level tested (better: "
            + "NR@\(point.threshold.plain))")
        return point
      }
    } else if lowercased.hasSuffix("nr") {
      digits.removeLast(2)
      point.isNoResponse = true
    }
    guard let value = QuantityText.value(of: digits, decimalComma: header.allowsDecimalComma) else {
      throw .invalid(position: position, reason: "\(text.inQuotationMarks) is not a threshold")
    }
    point.threshold = value
    return point
  }

  /// The maximum level in dB HL, at most 110, that audiometers usually present at a frequency in
  /// Hz.
  private static func usualMaximum(at frequency: Double) -> Double {
    switch frequency {
    case ..<250: 70
    case ..<500: 90
    case ...6000: 110
    default: 100
    }
  }

  private func flag(_ column: CSVColumn) throws(UnreadableDocument) -> Bool {
    guard let (text, position) = cell(column) else { return false }
    switch text.lowercased() {
    case "yes", "true", "1", "y", "x": return true
    case "no", "false", "0", "n": return false
    default:
      throw .invalid(
        position: position, reason: "\(String(text).inQuotationMarks) is neither yes nor no")
    }
  }
}
