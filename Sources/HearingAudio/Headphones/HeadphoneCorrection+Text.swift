public import HearingDSP

extension HeadphoneCorrection {
  /// Reads a headphone correction from text.
  ///
  /// Recognizes three formats by their content: the `ParametricEQ.txt` and the `GraphicEQ.txt` of
  /// AutoEq, and a measured response as CSV of Hz and dB (see `FrequencyCurve.init(csv:)`). A
  /// measured response is corrected to `target`. Ten sections are fitted to a `GraphicEQ.txt` or a
  /// measured response.
  ///
  /// - Throws: ``HeadphoneTextError`` that names the line.
  public init(text: String, target: FrequencyCurve = .flat) throws(HeadphoneTextError) {
    guard text.utf8.count <= HeadphoneTextError.greatestLength else { throw .tooLong }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if let line = lines.first(where: { $0.hasTrimmedPrefix("graphiceq:") }) {
      let gains = try FrequencyCurve(graphicEQ: line)
      self = HeadphoneFit(gains: gains).correction
    } else if lines.contains(where: {
      $0.hasTrimmedPrefix("filter") || $0.hasTrimmedPrefix("preamp")
    }) {
      try self.init(parametricLines: lines)
    } else {
      self = HeadphoneFit(measured: try FrequencyCurve(csv: text), target: target).correction
    }
  }

  private init(parametricLines lines: [Substring]) throws(HeadphoneTextError) {
    var sections: [Section] = []
    var preamp: Double?
    for (index, line) in lines.enumerated() {
      let words = line.lowercased().split(whereSeparator: { $0.isWhitespace || $0 == ":" })
      guard let first = words.first else { continue }
      if first == "preamp" {
        guard words.count >= 2, let gain = Double(words[1]) else {
          throw .invalidLine(index + 1, expected: "Preamp: -6.2 dB")
        }
        preamp = gain
      } else if first == "filter" {
        if let section = try Self.section(words, line: index + 1) { sections.append(section) }
      }
    }
    do {
      try self.init(sections: sections, preampGain: preamp)
    } catch {
      throw .invalidCorrection(error)
    }
  }

  /// The section in a line such as "Filter 1: ON PK Fc 105 Hz Gain -1.2 dB Q 0.70"; nil if the
  /// filter is off.
  private static func section(
    _ words: [Substring], line: Int
  ) throws(HeadphoneTextError) -> Section? {
    func number(after name: Substring) -> Double? {
      guard let place = words.firstIndex(of: name), place + 1 < words.count else { return nil }
      return Double(words[place + 1])
    }
    let expected = "Filter 1: ON PK Fc 105 Hz Gain -1.2 dB Q 0.70"
    if words.contains("off") { return nil }
    let kind: Section.Kind? =
      if words.contains("pk") || words.contains("peq") {
        .peak
      } else if words.contains("lsc") || words.contains("lsq") || words.contains("ls") {
        .lowShelf
      } else if words.contains("hsc") || words.contains("hsq") || words.contains("hs") {
        .highShelf
      } else {
        nil
      }
    guard words.contains("on"), let kind, let frequency = number(after: "fc"),
      let gain = number(after: "gain")
    else { throw .invalidLine(line, expected: expected) }
    let quality = number(after: "q")
    guard quality != nil || kind != .peak else { throw .invalidLine(line, expected: expected) }
    return Section(kind, frequency: frequency, gain: gain, quality: quality ?? 0.7)
  }
}

extension FrequencyCurve {
  /// A curve from CSV: a frequency in Hz and a level in dB in the first two columns of each line.
  ///
  /// Columns are separated by commas, semicolons, tabs or spaces. A first line that does not begin
  /// with a number is a header. If it names the columns `frequency` and `raw`, as in AutoEq's
  /// measurements, those columns are read. Lines that begin with `#` or `*` are comments.
  public init(csv text: String) throws(HeadphoneTextError) {
    guard text.utf8.count <= HeadphoneTextError.greatestLength else { throw .tooLong }
    var points: [Point] = []
    var columns = (0, 1)
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let cells = line.split(whereSeparator: { ",;\t ".contains($0) })
      guard let first = cells.first, first.first != "#", first.first != "*" else { continue }
      if points.isEmpty, Double(first) == nil {
        let names = cells.map { $0.lowercased() }
        columns = (
          names.firstIndex(of: "frequency") ?? 0,
          names.firstIndex(of: "raw") ?? 1
        )
        continue
      }
      guard cells.count > max(columns.0, columns.1), let frequency = Double(cells[columns.0]),
        let level = Double(cells[columns.1])
      else { throw .invalidLine(index + 1, expected: "1000,-2.5") }
      points.append(Point(frequency: frequency, level: level))
    }
    try self.init(read: points)
  }

  /// The gains in a line such as "GraphicEQ: 20 -0.5; 21 -0.4".
  init(graphicEQ line: Substring) throws(HeadphoneTextError) {
    var points: [Point] = []
    let list = line.split(separator: ":", maxSplits: 1).dropFirst().first ?? ""
    for item in list.split(separator: ";") {
      let words = item.split(whereSeparator: \.isWhitespace)
      if words.isEmpty { continue }
      guard words.count == 2, let frequency = Double(words[0]), let gain = Double(words[1]) else {
        throw .invalidLine(1, expected: "GraphicEQ: 20 -0.5; 21 -0.4")
      }
      points.append(Point(frequency: frequency, level: gain))
    }
    try self.init(read: points)
  }

  private init(read points: [Point]) throws(HeadphoneTextError) {
    do {
      try self.init(points: points)
    } catch {
      throw .invalidCurve(error)
    }
  }
}

/// The reason why a text is not a valid headphone correction or curve.
public enum HeadphoneTextError: Error, Sendable, Equatable {
  /// The text is larger than 1 MB.
  case tooLong
  /// The line with this number, counted from 1, does not have the form of the example.
  case invalidLine(Int, expected: String)
  /// The sections or the preamp gain are out of range.
  case invalidCorrection(HeadphoneCorrection.Failure)
  /// The points do not form a valid curve.
  case invalidCurve(FrequencyCurve.Failure)

  static let greatestLength = 1 << 20
}

extension HeadphoneTextError: CustomStringConvertible {
  /// The error in one line.
  public var description: String {
    switch self {
    case .tooLong: "more than 1 MB of text"
    case .invalidLine(let line, let expected): "line \(line): expected a line such as “\(expected)”"
    case .invalidCorrection(let failure): "\(failure)"
    case .invalidCurve(let failure): "\(failure)"
    }
  }
}

extension Substring {
  /// Whether the text begins with `prefix`, ignoring case and leading white space. `prefix` must be
  /// in lower case.
  fileprivate func hasTrimmedPrefix(_ prefix: String) -> Bool {
    drop(while: \.isWhitespace).lowercased().hasPrefix(prefix)
  }
}
