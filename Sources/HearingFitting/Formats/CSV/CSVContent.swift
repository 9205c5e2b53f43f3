/// The content of a table that has been read so far.
struct CSVContent {
  let header: CSVHeader
  var notes: [String] = []
  private var points = PointCollection()
  private var discomfort = PointCollection()

  init(header: CSVHeader) {
    self.header = header
  }

  func profile() throws(UnreadableDocument) -> ImportedProfile {
    guard var profile = points.profile(measuredAt: nil) else {
      throw .noAudiogram(reason: "the table contains no threshold")
    }
    let levels = discomfort.profile(measuredAt: nil)
    profile.leftDiscomfort = levels?.left
    profile.rightDiscomfort = levels?.right
    return ImportedProfile(profile: profile, day: nil, position: "", notes: notes)
  }

  /// Adds the thresholds and the discomfort levels of both ears in a row.
  mutating func add(_ row: CSVRow) throws(UnreadableDocument) {
    for ear in Ear.allCases {
      if let (text, position) = cell(.discomfort(ear), in: row) {
        let point = try threshold(text, of: ear, in: row, at: position)
        try discomfort.add(point, to: ear, at: position)
      }
      guard let (text, position) = cell(.threshold(ear), in: row) else { continue }
      var point = try threshold(text, of: ear, in: row, at: position)
      point.isMasked = try flag(.isMasked(ear), in: row)
      if try flag(.isNoResponse(ear), in: row) { point.isNoResponse = true }
      try points.add(point, to: ear, at: position)
    }
  }

  /// The text and the position of the cell in a column; nil if the cell is empty.
  private func cell(_ column: CSVColumn, in row: CSVRow) -> (text: String, position: String)? {
    guard let index = header[column], index < row.cells.count, !row.cells[index].isEmpty else {
      return nil
    }
    return (String(row.cells[index]), row.position(of: index))
  }

  private func frequency(in row: CSVRow) throws(UnreadableDocument) -> Double {
    guard let (text, position) = cell(.frequency, in: row) else {
      throw .invalid(position: "line \(row.line)", reason: "a threshold without a frequency")
    }
    let value = QuantityText.frequency(
      in: text, usualFactor: header.frequencyFactor, decimalComma: header.allowsDecimalComma)
    guard let frequency = value else {
      throw .invalid(position: position, reason: "\(text.inQuotationMarks) is not a frequency")
    }
    guard Audiogram.frequencyRange.contains(frequency) else {
      let reason = Audiogram.Invalid.frequencyOutOfRange(index: 0, frequency: frequency)
      throw .invalid(position: position, reason: reason.reason)
    }
    return frequency
  }

  /// Parses the threshold and the flags in a cell.
  private mutating func threshold(
    _ text: String, of ear: Ear, in row: CSVRow, at position: String
  ) throws(UnreadableDocument) -> Audiogram.Point {
    var point = Audiogram.Point(frequency: try frequency(in: row), threshold: 0)
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

  private func flag(_ column: CSVColumn, in row: CSVRow) throws(UnreadableDocument) -> Bool {
    guard let (text, position) = cell(column, in: row) else { return false }
    switch text.lowercased() {
    case "yes", "true", "1", "y", "x": return true
    case "no", "false", "0", "n": return false
    default:
      throw .invalid(position: position, reason: "\(text.inQuotationMarks) is neither yes nor no")
    }
  }
}
