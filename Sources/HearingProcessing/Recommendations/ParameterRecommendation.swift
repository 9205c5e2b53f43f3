/// What a session's parameters should be after something happened to the listener.
public struct ParameterRecommendation: Sendable, Equatable {
  /// The recommended `isEnabled`; nil: as it is.
  public var isEnabled: Bool?
  /// The recommended intensity, 0…1; nil: as it is.
  public var intensity: Float?
  /// Whether the preset is to be loaded anew.
  public var reloadsPreset: Bool

  /// A recommendation; without arguments it changes nothing.
  public init(isEnabled: Bool? = nil, intensity: Float? = nil, reloadsPreset: Bool = false) {
    self.isEnabled = isEnabled
    self.intensity = intensity
    self.reloadsPreset = reloadsPreset
  }
}
