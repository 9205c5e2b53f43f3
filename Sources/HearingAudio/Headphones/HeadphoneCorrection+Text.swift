internal import Foundation
public import HearingDSP

extension HeadphoneCorrection {
  /// Reads a headphone correction from text.
  ///
  /// The text can have three formats: AutoEq's `ParametricEQ.txt`, AutoEq's `GraphicEQ.txt`, or a
  /// measured response as CSV (see `FrequencyCurve.init(csv:)`). The content determines which
  /// format is used. If the text is a measured response, the correction changes this response to
  /// `target`. For a `GraphicEQ.txt` and for a measured response, ten filter sections are fitted to
  /// the curve.
  ///
  /// - Throws: ``EqualizerError``. If a line is invalid, the error contains the line number.
  public init(text: String, target: FrequencyCurve = .flat) throws(EqualizerError) {
    let lines = try EqualizerError.lines(of: text)
    if let line = lines.first(where: { $0.hasTrimmedPrefix("graphiceq:") }) {
      let gains = try FrequencyCurve(graphicEQ: line)
      self = Self.fitted(gains: gains).correction
    } else if lines.contains(where: {
      $0.hasTrimmedPrefix("filter") || $0.hasTrimmedPrefix("preamp")
    }) {
      try self.init(parametricLines: lines)
    } else {
      self = Self.fitted(to: try FrequencyCurve(csv: text), target: target).correction
    }
  }
}

/// Reads and writes the file `ParametricEQ.txt` of AutoEq. Equalizer APO and many players can read
/// such a file.
///
/// ```
/// Preamp: -6.2 dB
/// Filter 1: ON LSC Fc 105.0 Hz Gain 5.5 dB Q 0.70
/// Filter 2: ON PK Fc 2900.0 Hz Gain -3.1 dB Q 1.80
/// ```
extension HeadphoneCorrection {
  /// Reads the text of a `ParametricEQ.txt` file. Lines that contain neither a preamp gain nor a
  /// filter are ignored. Filters that are switched off are also ignored.
  ///
  /// - Throws: ``EqualizerError``. If a line is invalid, the error contains the line number.
  public init(parametricEQ text: String) throws(EqualizerError) {
    try self.init(parametricLines: EqualizerError.lines(of: text))
  }

  init(parametricLines lines: [Substring]) throws(EqualizerError) {
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
    if words.contains("off") { return nil }
    let kind = Section.Kind.allCases.first { kind in
      words.contains { kind.names.parametric.contains($0) }
    }
    guard words.contains("on"), let kind, let frequency = number(after: "fc"),
      let gain = number(after: "gain"),
      let quality = number(after: "q") ?? (kind == .peak ? nil : 0.7)
    else { throw .invalidLine(line, expected: "Filter 1: ON PK Fc 105 Hz Gain -1.2 dB Q 0.70") }
    return Section(kind, frequency: frequency, gain: gain, quality: quality)
  }

  /// The correction as the text of a `ParametricEQ.txt` file.
  ///
  /// Frequencies are rounded to 0.1 Hz, gains to 0.01 dB and quality factors to 0.01. Rounding
  /// changes the response by less than 0.1 dB.
  public var parametricEQ: String {
    var lines = ["Preamp: \(preampGain.decimal(2)) dB"]
    for (index, section) in sections.enumerated() {
      let name = section.kind.names.parametric[0].uppercased()
      lines.append(
        "Filter \(index + 1): ON \(name) Fc \(section.frequency.decimal(1)) Hz "
          + "Gain \(section.gain.decimal(2)) dB Q \(section.quality.decimal(2))")
    }
    return lines.map { $0 + "\n" }.joined()
  }
}

extension HeadphoneCorrection.Section.Kind {
  /// The names of this kind of filter in settings files. For `ParametricEQ.txt`, these are all names
  /// that are accepted, in lower case. The first name is written, in upper case.
  var names: (parametric: [Substring], camillaDSP: String, easyEffects: String) {
    switch self {
    case .peak: (["pk", "peq"], "Peaking", "Bell")
    case .lowShelf: (["lsc", "lsq", "ls"], "Lowshelf", "Lo-shelf")
    case .highShelf: (["hsc", "hsq", "hs"], "Highshelf", "Hi-shelf")
    }
  }
}

extension Substring {
  /// Whether the text begins with `prefix`. Case and leading white space are ignored. `prefix` must
  /// be in lower case.
  fileprivate func hasTrimmedPrefix(_ prefix: String) -> Bool {
    drop(while: \.isWhitespace).lowercased().hasPrefix(prefix)
  }
}

extension Double {
  /// Formats the number with `count` decimals, in the same way for every locale. A half is rounded
  /// away from zero.
  func decimal(_ count: Int) -> String {
    let scale = pow(10, Double(count))
    // Adding 0 changes −0 to 0.
    return String(format: "%.\(count)f", (self * scale).rounded() / scale + 0)
  }
}
