/// The values of all parameters of a session.
///
///     let values = session.values
///     print(values.isEnabled, values.intensity, values.preset?.left ?? "no preset")
public struct SessionValues: Equatable, Sendable {
  /// Whether audio is processed.
  public var isEnabled: Bool
  /// The fraction of the preset's gain that is applied, from 0 (none) to 1 (all).
  public var intensity: Float
  /// The listener's preset, or nil if there is no personal preset.
  public var preset: Preset?
  /// The listener's adjustments. The adjustments are added to the fine tuning that the preset
  /// contains.
  public var fineTuning: FineTuning

  /// Creates values. The default arguments are the values of a new session.
  public init(
    isEnabled: Bool = false, intensity: Float = 1, preset: Preset? = nil,
    fineTuning: FineTuning = .none
  ) {
    self.isEnabled = isEnabled
    self.intensity = intensity
    self.preset = preset
    self.fineTuning = fineTuning
  }

  /// Whether a session accepts this intensity. The intensity must be finite and in 0…1.
  static func isValid(intensity: Float) -> Bool {
    intensity.isFinite && (0...1).contains(intensity)
  }
}
