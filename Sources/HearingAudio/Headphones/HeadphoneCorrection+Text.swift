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

extension Substring {
  /// Whether the text begins with `prefix`. Case and leading white space are ignored. `prefix` must
  /// be in lower case.
  fileprivate func hasTrimmedPrefix(_ prefix: String) -> Bool {
    drop(while: \.isWhitespace).lowercased().hasPrefix(prefix)
  }
}
