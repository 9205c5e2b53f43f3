public import Observation

// This class is Sendable because the wrapped property `bundle` is written only in `init`. Locks
// protect the state of the properties `inputs`, `bundles` and `bundleGeneration`.
/// Computes the same preset as `DefaultPresetDataSource`. Also computes a variant with more gain
/// and a variant with less gain.
///
///     session.preset.reload()
///     …
///     if let softer = source.bundle?.down { session.preset.apply(softer) }
///
/// `reload()` applies the preset with the prescribed gains. To apply a variant, pass the variant to
/// `preset.apply`.
public final class UpDownPresetDataSource: Observable, @unchecked Sendable {
  private let inputs: Lock<FittingInputs>
  private let bundles = CurrentValueSource<UpDownPresetBundle?>(
    nil, observation: ObservedProperty())
  /// The `generation` of the inputs from which the last published bundle was computed.
  private let bundleGeneration = Lock<UInt64>(0)

  /// The variants of the preset that was loaded last. `bundle` is nil before the first load, and if
  /// there is no profile. The publisher of this property is `$bundle`.
  @CurrentValue public var bundle: UpDownPresetBundle?

  /// Creates a source with a fitting. Pass a profile if the listener's profile is known.
  public init(fitting: Fitting, profile: HearingProfile? = nil) {
    inputs = Lock(FittingInputs(fitting: fitting, profile: profile))
    _bundle = CurrentValue(bundles)
  }

  /// Describes what the processing system can do. `fitting` is read whenever a load of the preset
  /// begins.
  public var fitting: Fitting {
    get { inputs.withLock { $0.fitting } }
    set { inputs.withLock { $0.fitting = newValue } }
  }

  /// The listener's hearing profile, or nil if unknown. `profile` is read whenever a load of the
  /// preset begins. If `profile` becomes nil, `bundle` becomes nil immediately.
  public var profile: HearingProfile? {
    get { inputs.withLock { $0.profile } }
    set {
      let generation = inputs.withLock { inputs in
        inputs.profile = newValue
        return inputs.generation
      }
      if newValue == nil { publish(nil, ofGeneration: generation) }
    }
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

  /// Publishes `bundle`. Does nothing if a bundle that was computed from newer inputs is already
  /// published.
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

/// The listener's preset, a variant with more gain, and a variant with less gain.
public struct UpDownPresetBundle: Sendable, Equatable {
  /// The variant with more gain. Each prescribed gain in dB is multiplied by 1.25 and then limited
  /// to the allowed range. For sounds above the level of average speech, the gain is at most 1.25
  /// times the gain of `default`. For these sounds, the compression ratio may exceed
  /// `FittingLimits.maximumRatio`.
  public var up: Preset?
  /// The preset with the prescribed gains.
  public var `default`: Preset
  /// The variant with less gain. Each prescribed gain in dB is multiplied by 0.75 and then limited
  /// to the allowed range.
  public var down: Preset?

  /// Creates a bundle of existing presets.
  public init(up: Preset? = nil, default: Preset, down: Preset? = nil) {
    self.up = up
    self.default = `default`
    self.down = down
  }
}
