internal import HearingFitting

extension String {
  /// The text in quotation marks, on one line, cut off with an ellipsis after 80 characters.
  public var quoted: String { "\"\(singleLine(limit: 80))\"" }

  /// The text on one line, without control characters, cut off with an ellipsis after `limit`
  /// characters.
  public func oneLine(limit: Int = 400) -> String {
    singleLine(limit: limit)
  }
}
