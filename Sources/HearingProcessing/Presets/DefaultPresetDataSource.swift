/// Computes the preset from the listener's hearing profile and from a `Fitting`. The fitting
/// describes what the processing system can do.
///
///     let source = DefaultPresetDataSource(fitting: .techLevel(2), profile: profile)
///     let session = try controller.activate(presetDataSource: .default(source))
///     session.preset.reload()
///
/// If there is no profile, the preset is nil. Setting `profile` or `fitting` has no effect until
/// the preset is reloaded. For example, this code switches to the music program:
///
///     source.fitting.program = .music
///     session.preset.reload()
///
/// If the technology level of the fitting is unknown, reloading fails with an error.
public final class DefaultPresetDataSource: Sendable {
  private let inputs: Lock<FittingInputs>

  /// Creates a source with a fitting. Pass a profile if the listener's profile is known.
  public init(fitting: Fitting, profile: HearingProfile? = nil) {
    inputs = Lock(FittingInputs(fitting: fitting, profile: profile))
  }

  /// Describes what the processing system can do. `fitting` is read whenever a load of the preset
  /// begins.
  public var fitting: Fitting {
    get { inputs.withLock { $0.fitting } }
    set { inputs.withLock { $0.fitting = newValue } }
  }

  /// The listener's hearing profile, or nil if unknown. `profile` is read whenever a load of the
  /// preset begins.
  public var profile: HearingProfile? {
    get { inputs.withLock { $0.profile } }
    set { inputs.withLock { $0.profile = newValue } }
  }

  func beginLoading() -> @Sendable () async throws -> Preset? {
    let inputs = inputs.withLock { $0 }
    return { try inputs.preset(.default) }
  }
}

/// The inputs from which a preset is computed. `generation` counts the changes of `fitting` and
/// `profile`.
struct FittingInputs: Sendable {
  var fitting: Fitting { didSet { generation += 1 } }
  var profile: HearingProfile? { didSet { generation += 1 } }
  private(set) var generation: UInt64 = 0

  /// Computes one variant of the preset. Returns nil if there is no profile.
  func preset(_ variant: PresetVariant) throws -> Preset? {
    guard let profile else { return nil }
    return try fitting.preset(for: profile, variant: variant)
  }

  /// Computes the preset and its variants. Returns nil if there is no profile.
  func bundle() throws -> UpDownPresetBundle? {
    guard let preset = try preset(.default) else { return nil }
    return UpDownPresetBundle(
      up: try self.preset(.up), default: preset, down: try self.preset(.down))
  }
}
