public import HearingDSP

/// The reason why a text is not a valid headphone correction or curve.
public enum HeadphoneTextError: Error, Sendable, Equatable {
  /// The text is larger than 1 MB.
  case tooLong
  /// A line does not have the form of the example in `expected`. The number of the line is counted
  /// from 1.
  case invalidLine(Int, expected: String)
  /// The sections or the preamp gain are out of range.
  case invalidCorrection(HeadphoneCorrection.Invalid)
  /// The points do not form a valid curve.
  case invalidCurve(FrequencyCurve.Invalid)

  /// The maximum size of a text in bytes.
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
