public import HearingDSP

/// An error in a frequency curve, in a headphone correction or in equaliser settings. The error
/// occurs when one of these is created, read from text or written as text.
public enum EqualizerError: Error, Sendable, Equatable {
  /// A curve has no points, or more than 20,000 points.
  case pointCountOutOfRange(Int)
  /// A frequency of a curve is infinite or not above 0 Hz, or a level is outside ±300 dB.
  case pointOutOfRange(index: Int, frequency: Double, level: Double)
  /// A frequency of a curve is equal to the previous frequency or below the previous frequency.
  case frequencyNotRising(index: Int, frequency: Double)
  /// The text is larger than 1 MB.
  case tooLong
  /// A line of the text is invalid. The first associated value is the line number, starting at 1.
  /// `expected` contains an example of a valid line.
  case invalidLine(Int, expected: String)
  /// A filter section or the preamp gain is out of range.
  case invalidCorrection(HeadphoneCorrection.Invalid)
  /// The file format has one curve for both ears, but the preset contains only one ear or no ear.
  case unknownEar

  /// Splits a text into lines, including empty lines. Fails if the text is larger than 1 MB.
  static func lines(of text: String) throws(EqualizerError) -> [Substring] {
    guard text.utf8.count <= 1 << 20 else { throw .tooLong }
    // Some editors write a byte order mark at the start of a text. The mark is ignored.
    let text = text.drop { $0 == "\u{FEFF}" }
    return text.split(omittingEmptySubsequences: false, whereSeparator: { $0.isNewline })
  }
}

extension EqualizerError: CustomStringConvertible {
  /// The error in one line.
  public var description: String {
    switch self {
    case .pointCountOutOfRange(0): "no ParametricEQ, GraphicEQ or frequency and level lines found"
    case .pointCountOutOfRange(let count): "\(count) points; a curve has 1…20000"
    case .pointOutOfRange(let index, let frequency, let level):
      "point \(index + 1): \(frequency) Hz, \(level) dB is not a valid point of a curve"
    case .frequencyNotRising(let index, let frequency):
      "point \(index + 1): \(frequency) Hz is not higher than the previous frequency"
    case .tooLong: "more than 1 MB of text"
    case .invalidLine(let line, let expected): "line \(line): expected a line such as “\(expected)”"
    case .invalidCorrection(let failure): "\(failure)"
    case .unknownEar:
      "an ear is unknown, and this format has one curve for both ears; use Equalizer APO, CamillaDSP or "
        + "EasyEffects"
    }
  }
}
