extension String {
  /// The text in quotation marks for error messages: on one line, without control characters, and
  /// at most 60 characters long, even if it comes from a file.
  package var inQuotationMarks: String {
    "\"" + singleLine(limit: 60) + "\""
  }

  /// The text on one line, control characters and line separators replaced by spaces, cut off with
  /// an ellipsis after `limit` Unicode scalars.
  package func singleLine(limit: Int) -> String {
    var line = String.UnicodeScalarView()
    for (count, scalar) in unicodeScalars.enumerated() {
      guard count < limit else {
        line.append("…")
        break
      }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: line.append(" ")
      default: line.append(scalar)
      }
    }
    return String(line)
  }
}
