internal import HearingFitting

extension FrequencyCurve {
  /// Reads a curve from CSV text. The first two columns of each line are a frequency in Hz and a
  /// level in dB.
  ///
  /// Columns are separated by commas, semicolons, tabs or spaces. In a line with semicolons or
  /// tabs, or in a line such as `20 75,1` or `20,5 75,1`, a comma is a decimal mark. Before the
  /// first point, lines that do not begin with a number are headers. If a header contains the
  /// column name `frequency`, the frequencies are read from the column with this name. If a header
  /// contains the column name `raw`, the levels are read from the column with this name. AutoEq's
  /// measurements have columns with the names `frequency` and `raw`. Lines that begin with `#` or
  /// `*` are comments. A header that contains the unit dB HL is an error, because the text is an
  /// audiogram.
  ///
  /// - Throws: ``EqualizerError``. If a line is invalid, the error contains the line number. If a
  ///   point is invalid, the error contains the index of the point.
  public init(csv text: String) throws(EqualizerError) {
    var (frequencies, levels): ([Double], [Double]) = ([], [])
    var columns = (0, 1)
    for (index, line) in try EqualizerError.lines(of: text).enumerated() {
      let hasDecimalCommas =
        line.split { ";\t".contains($0) }.count > 1 || line.starts(with: /\s*[\d,]*\d\s+-?\d+,\d/)
      let cells = line.split { (hasDecimalCommas ? ";\t " : ",;\t ").contains($0) }
        .map { hasDecimalCommas ? $0.replacing(",", with: ".") : $0 }
      guard let first = cells.first, first.first != "#", first.first != "*" else { continue }
      if frequencies.isEmpty, Double(first) == nil {
        guard !line.lowercased().filter(\.isLetter).contains("dbhl") else {
          throw .invalidLine(
            index + 1,
            expected: "frequency,raw: a headphone's response in dB, not thresholds in dB HL")
        }
        let names = cells.map { $0.lowercased() }
        columns = (names.firstIndex(of: "frequency") ?? 0, names.firstIndex(of: "raw") ?? 1)
        continue
      }
      guard cells.count > max(columns.0, columns.1), let frequency = Double(cells[columns.0]),
        let level = Double(cells[columns.1])
      else { throw .invalidLine(index + 1, expected: "1000,-2.5") }
      frequencies.append(frequency)
      levels.append(level)
    }
    try self.init(frequencies: frequencies, levels: levels)
  }

  /// Reads the gains in a line such as "GraphicEQ: 20 -0.5; 21 -0.4".
  init(graphicEQ line: Substring, _ lineNumber: Int) throws(EqualizerError) {
    var (frequencies, levels): ([Double], [Double]) = ([], [])
    let list = line.split(separator: ":", maxSplits: 1).dropFirst().first ?? ""
    for item in list.split(separator: ";") {
      let words = item.split(whereSeparator: \.isWhitespace)
      if words.isEmpty { continue }
      guard words.count == 2, let frequency = Double(words[0]), let gain = Double(words[1]) else {
        throw .invalidLine(lineNumber, expected: "GraphicEQ: 20 -0.5; 21 -0.4")
      }
      frequencies.append(frequency)
      levels.append(gain)
    }
    try self.init(frequencies: frequencies, levels: levels)
  }

  /// The curve from 20 Hz to 20 kHz as the text of an AutoEq file `GraphicEQ.txt`.
  ///
  /// Frequencies are rounded to 0.1 Hz and levels to 0.01 dB. `FrequencyCurve` and the programs
  /// that read `GraphicEQ.txt` interpolate linearly over the logarithm of the frequency.
  public var graphicEQ: String {
    let inner = table.frequencies.filter { $0 > 20 && $0 < 20_000 }
    let items = ([20] + inner + [20_000]).map { "\($0.decimal(1)) \(level(at: $0).decimal(2))" }
    return "GraphicEQ: " + items.joined(separator: "; ") + "\n"
  }
}
