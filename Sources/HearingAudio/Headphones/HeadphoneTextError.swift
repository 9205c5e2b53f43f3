public import HearingDSP

/// The reason why a text is not a valid headphone correction or curve.
public enum HeadphoneTextError: Error, Sendable, Equatable {
  /// The text is larger than 1 MB.
  case tooLong
  /// The line with this number, counted from 1, does not have the form of the example.
  case invalidLine(Int, expected: String)
  /// The sections or the preamp gain are out of range.
  case invalidCorrection(HeadphoneCorrection.Invalid)
  /// The points do not form a valid curve.
  case invalidCurve(FrequencyCurve.Invalid)

  /// The maximum number of bytes of a text.
  static let maximumByteCount = 1 << 20
}

extension HeadphoneTextError: CustomStringConvertible {
  /// The error in one line.
  public var description: String {
    switch self {
    case .tooLong: "more than 1 MB of text"
    case .invalidLine(let line, let expected): "line \(line): expected a line such as “\(expected)”"
    case .invalidCorrection(let failure): "\(failure)"
    case .invalidCurve(let failure): "\(failure)"
    }
  }
}
