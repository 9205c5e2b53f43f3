public import Observation

// Sendable because the wrapped property is written in `init` only; its source and the inputs are
// protected by locks.
/// Like `DefaultPresetDataSource`, but also offers a richer and a softer variant to choose from.
///
///     session.preset.reload()
///     …
///     if let softer = source.bundle?.down { session.preset.apply(softer) }
///
/// A reload applies the preset as prescribed; the listener's choice among the variants is applied
/// like any other value.
public final class UpDownPresetDataSource: Observable, @unchecked Sendable {
  private let inputs: Lock<FittingInputs>
  private let bundles = CurrentValueSource<UpDownPresetBundle?>(
    nil, observation: ObservedProperty())
  /// The generation of the inputs that the bundle was made from.
  private let bundleGeneration = Lock<UInt64>(0)

  /// The variants of the preset that was loaded last; nil before that, and without a profile.
  /// `$bundle` is its publisher.
  @CurrentValue public var bundle: UpDownPresetBundle?

  /// Creates a source with a fitting and, if known, a profile.
  public init(fitting: Fitting, profile: HearingProfile? = nil) {
    inputs = Lock(FittingInputs(fitting: fitting, profile: profile))
    _bundle = CurrentValue(bundles)
  }

  /// What the processing system can do; read when a load starts.
  public var fitting: Fitting {
    get { inputs.withLock { $0.fitting } }
    set { inputs.withLock { $0.fitting = newValue } }
  }

  /// The listener's hearing profile; nil if unknown. Read when a load starts.
  public var profile: HearingProfile? {
    get { inputs.withLock { $0.profile } }
    set { inputs.withLock { $0.profile = newValue } }
  }

  func beginLoading() -> @Sendable () async throws -> Preset? {
    let inputs = inputs.withLock { $0 }
    return { [self] in
      let bundle = try inputs.bundle()
      try Task.checkCancellation()
      publish(bundle, ofGeneration: inputs.generation)
      return bundle?.default
    }
  }

  /// Publishes `bundle`, unless a bundle made from newer inputs was published before.
  private func publish(_ bundle: UpDownPresetBundle?, ofGeneration generation: UInt64) {
    let publication = bundleGeneration.withLock { newest in
      guard generation >= newest else {
        return nil as (@Sendable () -> Void)?
      }
      newest = generation
      return bundles.enqueue(bundle)
    }
    publication?()
  }
}

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
