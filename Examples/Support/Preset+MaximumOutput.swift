public import HearingFitting

extension Preset {
  /// The same preset with other ceilings.
  ///
  /// - Parameter maximumOutput: An ear's new maximum output in dB SPL, from the one it has.
  /// - Throws: `EarPreset.Invalid` if a preset cannot have such a ceiling.
  public func replacingMaximumOutput(
    _ maximumOutput: (Double) -> Double
  ) throws(EarPreset.Invalid) -> Preset {
    var changed = self
    for ear in Ear.allCases {
      guard let preset = self[ear] else { continue }
      changed[ear] = try EarPreset(
        frequencies: preset.frequencies, inputLevels: preset.inputLevels, gains: preset.gains,
        attackTimes: preset.attackTimes, releaseTimes: preset.releaseTimes,
        maximumOutput: maximumOutput(preset.maximumOutput))
    }
    return changed
  }
}
