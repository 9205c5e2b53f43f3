import Foundation
public import HearingFitting

extension Preset {
  /// Reads a preset from a JSON file of this package.
  ///
  /// - Throws: ``CommandFailure`` if the file cannot be read or is invalid. The error says where in
  ///   the file the invalid data is.
  public init(argument path: String) throws(CommandFailure) {
    // This limit of the file size is higher than the limit of `Preset(json:)`. Therefore
    // `Preset(json:)` reports a file that is too large.
    let data = try InputFile(path).data(limit: 17 * 1024 * 1024)
    do {
      try self.init(json: data)
    } catch {
      throw CommandFailure(error, reading: path)
    }
  }

  /// Returns the same preset with a different maximum output.
  ///
  /// - Parameter maximumOutput: Returns the new maximum output in dB SPL for an ear's current
  ///   maximum output in dB SPL.
  /// - Throws: `EarPreset.Invalid` if an ear's preset does not support the new maximum output.
  public func replacingMaximumOutput(
    _ maximumOutput: (Double) -> Double
  ) throws(EarPreset.Invalid) -> Preset {
    func changed(_ ear: EarPreset?) throws(EarPreset.Invalid) -> EarPreset? {
      guard let ear else { return nil }
      return try ear.replacingMaximumOutput(maximumOutput(ear.maximumOutput))
    }
    return Preset(
      left: try changed(left), right: try changed(right), rule: rule, ruleVersion: ruleVersion,
      program: program, limits: limits, fineTuning: fineTuning)
  }
}
