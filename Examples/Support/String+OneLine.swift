extension String {
  /// The text in quotation marks as an error message shows it: without control characters, cut off
  /// with an ellipsis after 80 characters.
  public var quoted: String { "\"\(oneLine(limit: 80))\"" }

  /// The text on one line: control characters and line separators are replaced by spaces, and it is
  /// cut off with an ellipsis after `limit` characters.
  public func oneLine(limit: Int = 400) -> String {
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
