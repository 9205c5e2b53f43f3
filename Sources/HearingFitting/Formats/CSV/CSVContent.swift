import Foundation

/// Collects the thresholds and the discomfort levels from the rows of a table.
struct CSVContent {
  let header: CSVHeader
  /// Notes about assumptions of the parser, one sentence each.
  var notes: [String] = []
  /// The text of the first date in the table.
  private(set) var day: String?
  private(set) var points = PointCollection()
  private(set) var discomfort = PointCollection()

  func profile() throws(UnreadableDocument) -> ImportedProfile {
    guard var found = points.measurement(at: nil, position: "") else {
      throw .noAudiogram(reason: "the table contains no threshold")
    }
    let levels = discomfort.measurement(at: nil, position: "")
    found.profile.leftDiscomfort = levels?.profile.left
    found.profile.rightDiscomfort = levels?.profile.right
    found.notes = header.notes + notes + found.notes + discomfort.notes
    return found
  }

  /// Adds the thresholds and the discomfort levels in one row of the table, for both ears.
  mutating func add(_ row: [CSVCell]) throws(UnreadableDocument) {
    if let unit = cell(.unit, in: row), !QuantityText.isHearingLevel(unit.text) {
      throw invalid(unit, "not dB HL")
    }
    if let date = cell(.date, in: row) {
      day = day ?? date.text
      guard date.text == day else { throw invalid(date, "another date; a table has one audiogram") }
    }
    for ear in Ear.allCases {
      // If a cell contains only "NR" (no response), the tested level is unknown. In a column of
      // discomfort levels, such a cell is therefore ignored.
      if let cell = cell(.discomfort(ear), in: row), cell.text.lowercased() != "nr" {
        let point = try threshold(in: cell, of: ear, row)
        try discomfort.add(point, to: ear, at: cell.position)
      }
      guard let cell = cell(.threshold(ear), in: row) else { continue }
      var point = try threshold(in: cell, of: ear, row)
      point.isMasked = try flag(.isMasked(ear), in: row)
      if try flag(.isNoResponse(ear), in: row) { point.isNoResponse = true }
      try points.add(point, to: ear, at: cell.position)
    }
  }

  /// The texts that mean that a value was not measured.
  private static let absent: Set<String> = ["", "-", "–", "−", "n/a", "dnt"]

  /// The cell of `row` in the given column; nil if the cell is missing or has no value.
  private func cell(_ column: CSVColumn, in row: [CSVCell]) -> CSVCell? {
    guard let index = header[column], index < row.count else { return nil }
    return Self.absent.contains(row[index].text.lowercased()) ? nil : row[index]
  }

  private func frequency(in row: [CSVCell]) throws(UnreadableDocument) -> Double {
    guard let cell = cell(.frequency, in: row) else {
      throw .invalid(position: "line \(row[0].line)", reason: "a threshold without a frequency")
    }
    let value = QuantityText.frequency(
      in: cell.text, usualFactor: header.frequencyFactor, decimalComma: header.allowsDecimalComma)
    if let value, Audiogram.frequencyRange.contains(value) { return value }
    throw invalid(cell, "not a frequency from 100 to 20000 Hz")
  }

  /// Parses a threshold in dB HL and the flags of the threshold from a cell such as "45" or ">110".
  private mutating func threshold(
    in cell: CSVCell, of ear: Ear, _ row: [CSVCell]
  ) throws(UnreadableDocument) -> Audiogram.Point {
    var point = Audiogram.Point(frequency: try frequency(in: row), threshold: 0)
    var digits = cell.text.lowercased()
    point.isNoResponse = digits.hasPrefix(">") || digits.hasPrefix("≥")
    point.isClamped = digits.hasPrefix("<") || digits.hasPrefix("≤")
    digits = String(digits.drop { ">≥<≤=".contains($0) })
    if digits.hasPrefix("nr") || digits.hasSuffix("nr") {
      digits = digits.trimmingCharacters(in: CharacterSet(charactersIn: "nr@ \t"))
      point.isNoResponse = true
      if digits.isEmpty {
        digits = Self.usualMaximum(at: point.frequency).plain
        notes.append(
          "\(point.frequency.plain) Hz, \(ear.rawValue) ear: NR without a level: "
            + "\(digits) dB HL is assumed as the highest level tested (better: NR@\(digits))")
      }
    }
    let (number, unit) = QuantityText.parts(of: digits)
    guard QuantityText.isHearingLevel(unit),
      let value = QuantityText.value(of: number, decimalComma: header.allowsDecimalComma)
    else { throw invalid(cell, "not a threshold") }
    point.threshold = value
    return point
  }

  /// The maximum level in dB HL that audiometers usually present at a frequency in Hz. The maximum
  /// level is at most 110 dB HL.
  private static func usualMaximum(at frequency: Double) -> Double {
    switch frequency {
    case ..<250: 70
    case ..<500: 90
    case ...6000: 110
    default: 100
    }
  }

  private func flag(_ column: CSVColumn, in row: [CSVCell]) throws(UnreadableDocument) -> Bool {
    guard let cell = cell(column, in: row) else { return false }
    switch cell.text.lowercased() {
    case "yes", "true", "1", "y", "x": return true
    case "no", "false", "0", "n": return false
    default: throw invalid(cell, "neither yes nor no")
    }
  }

  private func invalid(_ cell: CSVCell, _ reason: String) -> UnreadableDocument {
    .invalid(position: cell.position, reason: "\(cell.text.inQuotationMarks) is \(reason)")
  }
}
