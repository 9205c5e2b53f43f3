/// A preset as a plain text table. Plugins read this table, because they cannot read JSON.
///
///     let text = preset.table
///     try Preset(table: text)          // sounds the same as `preset`
///
/// The first line contains the version. For each known ear, the next lines contain the maximum
/// output in dB SPL, the input levels in dB SPL, and one line for each frequency. The line for a
/// frequency contains the frequency in Hz, the attack and release times in seconds, the maximum
/// output of the band in dB SPL (or `-` for none), and the gain in dB at each input level. The last
/// line shows that the text is complete.
///
/// ```
/// hearing-preset 1
/// # comfortable-speech, speech
/// ear left
/// maximum-output 105
/// levels 0 40 80
/// band 1000 0.005 0.4 98.5 0 12.5 4
/// end
/// ```
///
/// Lines that begin with `#` are comments. The gains in the table include the fine tuning. The
/// table contains all values that affect processing. The rule, the program and the limits of the
/// fitting are not restored from a table.
extension Preset {
  /// The version of ``table``.
  package static let tableVersion = 1

  /// The preset as a table.
  package var table: String {
    var lines = ["hearing-preset \(Self.tableVersion)"]
    let origin = [rule, program?.rawValue].compactMap { $0 }.joined(separator: ", ")
    if !origin.isEmpty { lines.append("# " + origin.singleLine(limit: 100)) }
    let tuned = fineTuned
    for ear in Ear.allCases {
      guard let preset = tuned[ear] else { continue }
      lines.append("ear \(ear.rawValue)")
      lines.append("maximum-output \(preset.maximumOutput)")
      lines.append("levels" + Self.cells(preset.inputLevels))
      for (index, frequency) in preset.frequencies.enumerated() {
        let times = Self.cells([preset.attackTimes[index], preset.releaseTimes[index]])
        let output = preset.maximumOutputs.map { " \($0[index])" } ?? " -"
        lines.append("band \(frequency)" + times + output + Self.cells(preset.gains[index]))
      }
    }
    lines.append("end")
    return lines.map { $0 + "\n" }.joined()
  }

  private static func cells(_ numbers: [Double]) -> String {
    numbers.map { " \($0)" }.joined()
  }

  /// Reads a preset from a table.
  ///
  /// - Throws: ``TableError``, which contains the line number or the ear.
  package init(table text: String) throws(TableError) {
    var reader = PresetTableReader()
    var number = 0
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      let words = line.split { $0 == UInt8(ascii: " ") || $0 == 9 || $0 == 13 }.map(Substring.init)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      try reader.read(words, line: number)
      if reader.isComplete { break }
    }
    self = try reader.preset()
  }

  /// The reason why a text is not a preset.
  package enum TableError: Error, Sendable, Equatable {
    /// The first line does not consist of `hearing-preset` and a version.
    case noTable
    /// The table has a newer version than ``Preset/tableVersion``.
    case newerVersion(Int)
    /// The last line is missing, so the text is not complete.
    case incomplete
    /// The line with this number, counted from 1, is invalid.
    case invalidLine(Int)
    /// The numbers of this ear are not a valid preset.
    case invalid(Ear, EarPreset.Invalid)
  }
}

extension Preset.TableError: CustomStringConvertible {
  /// The error in one line.
  package var description: String {
    switch self {
    case .noTable: "the first line is not “hearing-preset \(Preset.tableVersion)”"
    case .newerVersion(let version):
      "version \(version) of the table; this package reads \(Preset.tableVersion)"
    case .incomplete: "the last line, “end”, is missing"
    case .invalidLine(let line): "line \(line): not a valid line of a preset table"
    case .invalid(let ear, let reason): "\(ear.rawValue) ear: \(reason)"
    }
  }
}

/// Reads the lines of a table one after the other.
private struct PresetTableReader {
  private(set) var isComplete = false
  private var hasVersion = false
  private var result = Preset(left: nil, right: nil)
  private var ear: Ear?
  private var columns = Columns()

  private struct Columns {
    var maximumOutput: Double?
    var levels: [Double] = []
    var frequencies: [Double] = []
    var attackTimes: [Double] = []
    var releaseTimes: [Double] = []
    var outputs: [Double?] = []
    var gains: [[Double]] = []
  }

  mutating func read(_ words: [Substring], line: Int) throws(Preset.TableError) {
    guard hasVersion else {
      guard words.count == 2, words[0] == "hearing-preset", let version = Int(words[1]) else {
        throw .noTable
      }
      guard version <= Preset.tableVersion else { throw .newerVersion(version) }
      hasVersion = true
      return
    }
    let count = words.count
    switch words[0] {
    case "ear" where count == 2:
      try finishEar(line)
      guard let next = Ear.allCases.first(where: { $0.rawValue == words[1] }), result[next] == nil
      else { throw .invalidLine(line) }
      ear = next
    case "maximum-output" where count == 2:
      columns.maximumOutput = try Self.number(words[1], line)
    case "levels":
      columns.levels = try Self.numbers(words[1...], line)
    case "band" where count >= 5:
      columns.frequencies.append(try Self.number(words[1], line))
      columns.attackTimes.append(try Self.number(words[2], line))
      columns.releaseTimes.append(try Self.number(words[3], line))
      columns.outputs.append(words[4] == "-" ? nil : try Self.number(words[4], line))
      columns.gains.append(try Self.numbers(words[5...], line))
    case "end" where count == 1:
      try finishEar(line)
      isComplete = true
    default: throw .invalidLine(line)
    }
  }

  func preset() throws(Preset.TableError) -> Preset {
    guard hasVersion else { throw .noTable }
    guard isComplete else { throw .incomplete }
    return result
  }

  private mutating func finishEar(_ line: Int) throws(Preset.TableError) {
    guard let ear else {
      guard columns.frequencies.isEmpty else { throw .invalidLine(line) }
      return
    }
    let outputs = columns.outputs.compactMap { $0 }
    guard let maximumOutput = columns.maximumOutput,
      outputs.isEmpty || outputs.count == columns.frequencies.count
    else { throw .invalidLine(line) }
    do throws(EarPreset.Invalid) {
      result[ear] = try EarPreset(
        frequencies: columns.frequencies, inputLevels: columns.levels, gains: columns.gains,
        attackTimes: columns.attackTimes, releaseTimes: columns.releaseTimes,
        maximumOutput: maximumOutput, maximumOutputs: outputs.isEmpty ? nil : outputs)
    } catch {
      throw .invalid(ear, error)
    }
    columns = Columns()
    self.ear = nil
  }

  private static func numbers(
    _ words: ArraySlice<Substring>, _ line: Int
  ) throws(Preset.TableError) -> [Double] {
    var numbers: [Double] = []
    for word in words { numbers.append(try number(word, line)) }
    return numbers
  }

  private static func number(_ word: Substring, _ line: Int) throws(Preset.TableError) -> Double {
    guard let number = Double(word) else { throw .invalidLine(line) }
    return number
  }
}
