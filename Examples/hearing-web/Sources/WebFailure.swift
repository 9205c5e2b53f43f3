/// The reason why a call from JavaScript fails. The call returns the raw value, which is negative.
///
/// A successful call returns 0 or a count. `engine.js` contains an error message for each case.
enum WebFailure: Int32, Error {
  /// A count is negative or larger than the available memory.
  case countOutOfRange = -1
  /// The ear is neither 0 (left) nor 1 (right).
  case unknownEar = -2
  /// No rule, program or standard audiogram has this number.
  case unknownNumber = -3
  /// An audiogram has more points than are supported.
  case tooManyPoints = -4
  /// A frequency is outside 100…20,000 Hz.
  case frequencyOutOfRange = -5
  /// A threshold is outside −20…130 dB HL.
  case thresholdOutOfRange = -6
  /// A frequency occurs twice.
  case duplicateFrequency = -7
  /// No preset can be computed from the audiograms with this rule and program.
  case fittingFailed = -8
  /// A number is not finite or out of its range.
  case numberOutOfRange = -9
  /// The values were not written by `hearing_settings`.
  case damagedSettings = -10
  /// A processor does not support the sample rate, the look-ahead or the settings.
  case unsupportedSettings = -11
  /// `hearing_start` was not called, or failed.
  case notStarted = -12
}

extension WebFailure {
  /// Runs the body of an exported function, and returns its result or the code of its failure.
  static func code(_ body: () throws(WebFailure) -> Int32) -> Int32 {
    do {
      return try body()
    } catch {
      return error.rawValue
    }
  }
}
