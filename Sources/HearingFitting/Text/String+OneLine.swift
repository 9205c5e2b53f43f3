extension String {
  /// The text in quotation marks, for error messages. The result is on one line, has no control
  /// characters, and is cut off after 60 Unicode scalars.
  package var inQuotationMarks: String { "\"" + singleLine(limit: 60) + "\"" }

  /// The text on one line. Control characters and line separators are replaced with spaces. The
  /// text is cut off with an ellipsis after `limit` Unicode scalars.
  package func singleLine(limit: Int) -> String {
    let start = unicodeScalars.prefix(limit)
    var line = String.UnicodeScalarView()
    for scalar in start {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: line.append(" ")
      default: line.append(scalar)
      }
    }
    return String(line) + (start.endIndex < unicodeScalars.endIndex ? "…" : "")
  }
}
