/// The parameter values that are recommended for a session after a ``ListenerEvent``.
public struct ParameterRecommendation: Sendable, Equatable {
  /// The recommended value of `isEnabled`, or nil for no change.
  public var isEnabled: Bool?
  /// The recommended intensity, 0…1, or nil for no change.
  public var intensity: Float?
  /// Whether to reload the preset.
  public var reloadsPreset: Bool

  /// Whether to remove the preset. If `clearsPreset` is true, the preset becomes nil, the fine
  /// tuning is reset, and no preset is loaded.
  public var clearsPreset: Bool

  /// Creates a recommendation. A recommendation that is created without arguments changes nothing.
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
