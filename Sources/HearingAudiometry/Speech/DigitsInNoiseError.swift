/// The reason why recordings of digits, or an answer in a test with digits in noise, are not
/// accepted.
public enum DigitsInNoiseError: Error, Sendable, Equatable {
  /// The number of recordings is not ten.
  case digitCount(Int)
  /// The recording of a digit is empty, longer than 5 s or silent, or contains a sample that is not
  /// a number.
  case digit(Int)
  /// The sample rate is outside 8,000 to 768,000 Hz or is not a number.
  case sampleRate(Double)
  /// The test is over.
  case alreadyFinished
  /// An answer does not consist of three digits from 0 to 9.
  case notATriplet([Int])
}

extension DigitsInNoiseError: CustomStringConvertible {
  /// The error in one line, with the digit or the invalid value.
  public var description: String {
    switch self {
    case .digitCount(let count): "\(count) recordings, expected ten: the digits 0 to 9"
    case .digit(let digit):
      "the recording of \(digit) is empty, silent, longer than 5 s or holds invalid samples"
    case .sampleRate(let rate): "a sample rate of \(rate) Hz is outside 8000 to 768000 Hz"
    case .alreadyFinished: "the test is over"
    case .notATriplet(let digits): "\(digits) are not three digits from 0 to 9"
    }
  }
}
