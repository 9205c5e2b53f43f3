internal import Foundation
public import HearingDSP

extension HeadphoneCorrection {
  /// Reads a headphone correction from text.
  ///
  /// The text can have three formats: AutoEq's `ParametricEQ.txt`, AutoEq's `GraphicEQ.txt`, or a
  /// measured response as CSV (see `FrequencyCurve.init(csv:)`). The content of the text determines
  /// the format. If the text is a `GraphicEQ.txt`, the initializer fits ten filter sections to the
  /// gains in the text. If the text is a measured response, the initializer fits ten filter
  /// sections that change this response to `target`.
  ///
  /// A correction has one response for both ears. Therefore a text with settings for only one
  /// channel is an error. A text with two `GraphicEQ` lines, or with a `GraphicEQ` line and
  /// filters, is also an error.
  ///
  /// - Throws: ``EqualizerError``. If a line is invalid, the error contains the line number.
  public init(text: String, target: FrequencyCurve = .flat) throws(EqualizerError) {
    let lines = try EqualizerError.lines(of: text)
    let curves = lines.indices.filter { lines[$0].hasTrimmedPrefix("graphiceq:") }
    if let last = curves.last {
      guard try Self(parametricEQ: text).sections.isEmpty, curves.count == 1 else {
        throw .invalidLine(last + 1, expected: "# GraphicEQ: 20 -0.5; 21 -0.4")
      }
      self = Self.fitted(gains: try FrequencyCurve(graphicEQ: lines[last], last + 1)).correction
    } else if lines.contains(where: {
      $0.hasTrimmedPrefix("filter") || $0.hasTrimmedPrefix("preamp")
    }) {
      try self.init(parametricEQ: text)
    } else {
      self = Self.fitted(to: try FrequencyCurve(csv: text), target: target).correction
    }
  }

  /// The correction as the text of a `ParametricEQ.txt` file.
  ///
  /// Frequencies are rounded to 0.1 Hz, gains to 0.01 dB and quality factors to 0.01. Rounding
  /// changes the response by less than 0.1 dB.
  public var parametricEQ: String {
    let filters = sections.enumerated().map { index, section in
      "Filter \(index + 1): ON \(section.kind.names.parametric[0].uppercased()) "
        + "Fc \(section.frequency.decimal(1)) Hz Gain \(section.gain.decimal(2)) dB "
        + "Q \(section.quality.decimal(2))\n"
    }
    return "Preamp: \(preampGain.decimal(2)) dB\n" + filters.joined()
  }
}

extension Substring {
  /// Whether the text begins with `prefix`. White space at the start of the text is ignored.
  /// Upper-case and lower-case letters of the text are equivalent. `prefix` must be in lower case.
  fileprivate func hasTrimmedPrefix(_ prefix: String) -> Bool {
    drop(while: \.isWhitespace).lowercased().hasPrefix(prefix)
  }
}

extension Double {
  /// Formats the number with `count` decimals, independently of the locale. If the number is
  /// halfway between two results, the number is rounded away from zero.
  func decimal(_ count: Int) -> String {
    let scale = pow(10, Double(count))
    // Adding 0 changes −0 to 0. Therefore the text for zero has no minus sign.
    return String(format: "%.\(count)f", (self * scale).rounded() / scale + 0)
  }
}
