internal import HearingFitting

extension FrequencyCurve {
  /// Reads a curve from CSV text. The first two columns of each line are a frequency in Hz and a
  /// level in dB. If the first unit in the header is kHz, the frequencies are in kHz.
  ///
  /// Columns are separated by commas, semicolons, tabs or spaces. In a line with semicolons or
  /// tabs, or in a line such as `20 75,1` or `20,5 75,1`, a comma is a decimal mark. All lines
  /// before the first line that begins with a number are headers. If a header contains the column
  /// name `frequency`, the frequencies are read from the column with this name. If a header
  /// contains the column name `raw`, the levels are read from the column with this name. AutoEq's
  /// measurements have columns with the names `frequency` and `raw`. Lines that begin with `#` or
  /// `*` are comments. A text with the unit dB HL in a header is an audiogram and not a headphone
  /// response. Therefore the unit dB HL in a header is an error. If all frequencies are outside 50
  /// Hz to 10 kHz, the frequencies probably have another unit. Therefore such a text is also an
  /// error.
  ///
  /// - Throws: ``EqualizerError``. If a line is invalid, the error contains the line number. If a
  ///   point is invalid, the error contains the index of the point.
  public init(csv text: String) throws(EqualizerError) {
    var (frequencies, levels): ([Double], [Double]) = ([], [])
    var columns = (0, 1)
    var (columnCount, factor, firstLine) = (2, 1.0, 0)
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
        columnCount = names.count
        factor = line.lowercased().firstMatch(of: /k?hz/)?.output == "khz" ? 1_000 : 1
        continue
      }
      if frequencies.isEmpty {
        firstLine = index + 1
        // A line such as `22,05,0,60` can contain two numbers with decimal commas, or four columns.
        // Such a line is accepted only if the header has four columns.
        guard columnCount == 4 || line.wholeMatch(of: /\s*\d+,\d+,\s*-?\d+,\d+\s*/) == nil
        else { throw .invalidLine(firstLine, expected: "22.05,0.6 or 22,05;0,6") }
      }
      guard cells.count > max(columns.0, columns.1), let frequency = Double(cells[columns.0]),
        let level = Double(cells[columns.1])
      else { throw .invalidLine(index + 1, expected: "1000,-2.5") }
      frequencies.append(factor * frequency)
      levels.append(level)
    }
    guard frequencies.isEmpty || frequencies.contains(where: (50...10_000).contains) else {
      throw .invalidLine(
        firstLine, expected: "1000,-2.5: frequencies in Hz, some of them within 50…10000")
    }
    try self.init(frequencies: frequencies, levels: levels)
  }

  /// Reads the gains in a line such as "GraphicEQ: 20 -0.5; 21 -0.4".
  init(graphicEQ line: Substring, _ lineNumber: Int) throws(EqualizerError) {
    var (frequencies, levels): ([Double], [Double]) = ([], [])
    let list = line.split(separator: ":", maxSplits: 1).dropFirst().first ?? ""
    for item in list.split(separator: ";") where !item.allSatisfy(\.isWhitespace) {
      let words = item.split(whereSeparator: \.isWhitespace)
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
  /// Frequencies are rounded to 0.1 Hz and levels to 0.01 dB. Between two frequencies,
  /// `FrequencyCurve` and the programs that read `GraphicEQ.txt` interpolate the level linearly
  /// over the logarithm of the frequency.
  public var graphicEQ: String {
    let inner = table.frequencies.filter { $0 > 20 && $0 < 20_000 }
    let items = ([20] + inner + [20_000]).map { "\($0.decimal(1)) \(level(at: $0).decimal(2))" }
    return "GraphicEQ: " + items.joined(separator: "; ") + "\n"
  }
}
