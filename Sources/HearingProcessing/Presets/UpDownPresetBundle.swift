/// The listener's preset with a richer and a softer variant.
public struct UpDownPresetBundle: Sendable, Equatable {
  /// The richer variant: all gains × 1.25, within the limits.
  public var up: Preset?
  /// The preset as prescribed.
  public var `default`: Preset
  /// The softer variant: all gains × 0.75.
  public var down: Preset?

  /// A bundle of presets made elsewhere.
  public init(up: Preset? = nil, default: Preset, down: Preset? = nil) {
    self.up = up
    self.default = `default`
    self.down = down
  }
}
