internal import HearingFitting

extension String {
  /// The text in quotation marks, on one line. A text of more than 80 characters is truncated and
  /// ends with an ellipsis.
  public var quoted: String { "\"\(singleLine(limit: 80))\"" }
}
