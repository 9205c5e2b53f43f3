public import HearingDSP

extension HeadphoneCorrection {
  /// Reads a headphone correction from text.
  ///
  /// Recognizes three formats by their content: the `ParametricEQ.txt` and the `GraphicEQ.txt` of
  /// AutoEq, and a measured response as CSV of Hz and dB (see `FrequencyCurve.init(csv:)`). A
  /// measured response is corrected to `target`. A `GraphicEQ.txt` or a measured response is
  /// approximated by ten fitted sections.
  ///
  /// - Throws: ``HeadphoneTextError`` that names the line.
  public init(text: String, target: FrequencyCurve = .flat) throws(HeadphoneTextError) {
    guard text.utf8.count <= HeadphoneTextError.maximumByteCount else { throw .tooLong }
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
}

extension Substring {
  /// Whether the text begins with `prefix`, ignoring case and leading white space. `prefix` must be
  /// in lower case.
  fileprivate func hasTrimmedPrefix(_ prefix: String) -> Bool {
    drop(while: \.isWhitespace).lowercased().hasPrefix(prefix)
  }
}
