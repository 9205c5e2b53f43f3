internal import HearingFitting

extension String {
  /// The text in quotation marks, on one line, cut off with an ellipsis after 80 characters.
  public var quoted: String { "\"\(singleLine(limit: 80))\"" }
}
