/// What a preset is computed from, and how often that has changed.
struct FittingInputs: Sendable {
  var fitting: Fitting { didSet { generation += 1 } }
  var profile: HearingProfile? { didSet { generation += 1 } }
  private(set) var generation: UInt64 = 0

  init(fitting: Fitting, profile: HearingProfile?) {
    self.fitting = fitting
    self.profile = profile
  }

  /// The preset in one of its variants; nil without a profile.
  func preset(_ variant: PresetVariant) throws -> Preset? {
    guard let profile else { return nil }
    return try fitting.preset(for: profile, variant: variant)
  }

  /// The preset with its variants; nil without a profile.
  func bundle() throws -> UpDownPresetBundle? {
    guard let preset = try preset(.default) else { return nil }
    return UpDownPresetBundle(
      up: try self.preset(.up), default: preset, down: try self.preset(.down))
  }
}
