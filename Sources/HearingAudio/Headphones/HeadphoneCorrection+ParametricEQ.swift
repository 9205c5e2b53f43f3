public import HearingDSP

/// Reads the file `ParametricEQ.txt` of AutoEq. Equalizer APO and many players can also read
/// `ParametricEQ.txt` files.
///
/// ```
/// Preamp: -6.2 dB
/// Filter 1: ON LSC Fc 105.0 Hz Gain 5.5 dB Q 0.70
/// Filter 2: ON PK Fc 2900.0 Hz Gain -3.1 dB Q 1.80
/// ```
extension HeadphoneCorrection {
  /// Reads the text of a `ParametricEQ.txt` file. Only lines with a preamp gain or a filter are
  /// read. Filters that are switched off or have the type `None` are ignored. Filters for only one
  /// channel cause an error.
  ///
  /// - Throws: ``EqualizerError``. If a line is invalid, the error contains the line number.
  public init(parametricEQ text: String) throws(EqualizerError) {
    var sections: [Section] = []
    var preamp: Double?
    for (index, line) in try EqualizerError.lines(of: text).enumerated() {
      let words = line.lowercased().split(whereSeparator: { $0.isWhitespace || $0 == ":" })
      guard let first = words.first else { continue }
      if first == "preamp" {
        guard words.count >= 2, let gain = Double(words[1]) else {
          throw .invalidLine(index + 1, expected: "Preamp: -6.2 dB")
        }
        preamp = gain
      } else if first == "filter", words.dropFirst().first != "settings" {
        if let section = try Self.section(words, line: index + 1) { sections.append(section) }
      } else if first == "channel", words.dropFirst() != ["all"] {
        throw .invalidLine(index + 1, expected: "Channel: all")
      }
    }
    do throws(Invalid) {
      try self.init(sections: sections, preampGain: preamp)
    } catch {
      throw .invalidCorrection(error)
    }
  }

  /// Reads the section in a line such as "Filter 1: ON PK Fc 105 Hz Gain -1.2 dB Q 0.70". Returns
  /// nil if the filter is switched off.
  private static func section(
    _ words: [Substring], line: Int
  ) throws(EqualizerError) -> Section? {
    func number(after name: Substring) -> Double? {
      guard let index = words.firstIndex(of: name), index + 1 < words.count else { return nil }
      return Double(words[index + 1])
    }
    if words.contains("off") || words.contains("none") { return nil }
    let kind = Section.Kind.allCases.first { kind in
      words.contains { kind.names.parametric.contains($0) }
    }
    guard words.contains("on"), let kind, let frequency = number(after: "fc"),
      let gain = number(after: "gain"),
      let quality = number(after: "q") ?? (kind == .peak ? nil : 0.7)
    else { throw .invalidLine(line, expected: "Filter 1: ON PK Fc 105 Hz Gain -1.2 dB Q 0.70") }
    return Section(kind, frequency: frequency, gain: gain, quality: quality)
  }
}

extension HeadphoneCorrection.Section.Kind {
  /// The names of the filter kind in the files of other programs. `parametric` contains all names
  /// that may occur in a `ParametricEQ.txt` file, in lower case. When this module writes a
  /// `ParametricEQ.txt` file, it writes the first of these names in upper case.
  var names: (parametric: [Substring], camillaDSP: String, easyEffects: String) {
    switch self {
    case .peak: (["pk", "peq"], "Peaking", "Bell")
    case .lowShelf: (["lsc", "lsq", "ls"], "Lowshelf", "Lo-shelf")
    case .highShelf: (["hsc", "hsq", "hs"], "Highshelf", "Hi-shelf")
    }
  }
}
