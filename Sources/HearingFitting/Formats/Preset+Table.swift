/// A preset as a plain text table. Audio plugins cannot read JSON. Therefore audio plugins read
/// presets from a table.
///
///     let text = preset.table
///     try Preset(table: text)          // sounds the same as `preset`
///
/// The first line contains the version of the table format. The following lines describe each ear
/// that has a preset. An ear has one line for the maximum output in dB SPL, one line for the input
/// levels in dB SPL, and one line for each frequency. The last line, `end`, shows that the text is
/// complete.
///
/// The line for a frequency contains the following values in order:
///
/// - the frequency in Hz
/// - the attack time and the release time in seconds
/// - the maximum output of the band in dB SPL, or `-` if the band has no maximum output
/// - the gains in dB, one for each input level
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
/// table contains all values that affect processing. The table does not contain the rule, the
/// program and the limits. In a preset that is read from a table, the rule, the program and the
/// limits are nil.
extension Preset {
  /// The latest version of the table format.
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
        let numbers = [frequency, preset.attackTimes[index], preset.releaseTimes[index]]
        let output = preset.maximumOutputs.map { " \($0[index])" } ?? " -"
        lines.append("band" + Self.cells(numbers) + output + Self.cells(preset.gains[index]))
      }
    }
    lines.append("end")
    return lines.map { $0 + "\n" }.joined()
  }

  private static func cells(_ numbers: [Double]) -> String { numbers.map { " \($0)" }.joined() }

  /// Reads a preset from a table.
  ///
  /// - Throws: ``TableError``, which contains the line number or the ear.
  package init(table text: String) throws(TableError) {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let rows = lines.enumerated().map { index, line in
      (
        number: index + 1,
        words: line.split { $0 == UInt8(ascii: " ") || $0 == 9 || $0 == 13 }.map(Substring.init)
      )
    }.filter { $0.words.first.map { !$0.hasPrefix("#") } ?? false }
    guard let title = rows.first?.words, title.count == 2, title[0] == "hearing-preset",
      let version = Int(title[1])
    else { throw .noTable }
    guard version <= Self.tableVersion else { throw .newerVersion(version) }
    var preset = Preset(left: nil, right: nil)
    var current: PresetTableEar?
    for (number, words) in rows.dropFirst() {
      switch words[0] {
      case "ear" where words.count == 2, "end" where words.count == 1:
        if let current { preset[current.ear] = try current.preset(line: number) }
        if words[0] == "end" {
          self = preset
          return
        }
        guard let ear = Ear.allCases.first(where: { $0.rawValue == words[1] }), preset[ear] == nil
        else { throw .invalidLine(number) }
        current = PresetTableEar(ear: ear)
      default:
        guard current?.read(words) == true else { throw .invalidLine(number) }
      }
    }
    throw .incomplete
  }

  /// The reason why a text is not a valid table of a preset.
  package enum TableError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The first line does not consist of `hearing-preset` and a version.
    case noTable
    /// The table has a newer version than ``Preset/tableVersion``.
    case newerVersion(Int)
    /// The last line is missing, so the text is not complete.
    case incomplete
    /// A line of the table is invalid. The associated value is the number of the line, counted from
    /// 1.
    case invalidLine(Int)
    /// The numbers for one ear in the table are not a valid preset.
    case invalid(Ear, EarPreset.Invalid)

    /// A one-line description of the error.
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
}

/// The lines of one ear in a table.
private struct PresetTableEar {
  let ear: Ear
  var maximumOutput: Double?
  var levels: [Double] = []
  /// For each band, the frequency, the attack time, the release time, and the gains.
  var bands: [[Double]] = []
  /// The maximum outputs of the bands.
  var outputs: [Double] = []

  /// Reads the words of a line. Returns false if the line is invalid.
  mutating func read(_ words: [Substring]) -> Bool {
    let hasNoOutput = words.count >= 5 && words[0] == "band" && words[4] == "-"
    let count = words.count - (hasNoOutput ? 2 : 1)
    var numbers = words.dropFirst().compactMap { Double($0) }
    guard numbers.count == count else { return false }
    switch words[0] {
    case "maximum-output" where count == 1: maximumOutput = numbers[0]
    case "levels": levels = numbers
    case "band" where words.count >= 5:
      if !hasNoOutput { outputs.append(numbers.remove(at: 3)) }
      bands.append(numbers)
    default: return false
    }
    return true
  }

  /// Creates the preset of the ear. `line` is the number of the first line after the lines of the
  /// ear, for error messages.
  func preset(line: Int) throws(Preset.TableError) -> EarPreset {
    guard let maximumOutput, outputs.isEmpty || outputs.count == bands.count else {
      throw .invalidLine(line)
    }
    do throws(EarPreset.Invalid) {
      return try EarPreset(
        frequencies: bands.map { $0[0] }, inputLevels: levels,
        gains: bands.map { Array($0.dropFirst(3)) }, attackTimes: bands.map { $0[1] },
        releaseTimes: bands.map { $0[2] }, maximumOutput: maximumOutput,
        maximumOutputs: outputs.isEmpty ? nil : outputs)
    } catch { throw .invalid(ear, error) }
  }
}
