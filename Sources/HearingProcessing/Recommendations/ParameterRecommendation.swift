/// The recommended values of a session's parameters after a listener event.
public struct ParameterRecommendation: Sendable, Equatable {
  /// The recommended `isEnabled`; nil: unchanged.
  public var isEnabled: Bool?
  /// The recommended intensity, 0…1; nil: unchanged.
  public var intensity: Float?
  /// Whether to reload the preset.
  public var reloadsPreset: Bool

  /// Whether to remove the preset: it becomes nil, and nothing is loaded.
  public var clearsPreset: Bool

  /// Creates a recommendation; without arguments it changes nothing.
  public init(
    isEnabled: Bool? = nil, intensity: Float? = nil, reloadsPreset: Bool = false,
    clearsPreset: Bool = false
  ) {
    self.isEnabled = isEnabled
    self.intensity = intensity
    self.reloadsPreset = reloadsPreset
    self.clearsPreset = clearsPreset
  }
}
