/// Computes the preset from what is known of the listener's hearing and of the processing system.
///
///     let source = DefaultPresetDataSource(fitting: .techLevel(2), profile: profile)
///     let session = try controller.activate(presetDataSource: .default(source))
///     session.preset.reload()
///
/// Without a profile the preset is nil. Setting `profile` or `fitting` applies nothing by itself:
/// reload the preset. A technology level that is not known fails the reload with the reason.
public final class DefaultPresetDataSource: Sendable {
  private let inputs: Lock<FittingInputs>

  /// A source with what is known now.
  public init(fitting: Fitting, profile: HearingProfile? = nil) {
    inputs = Lock(FittingInputs(fitting: fitting, profile: profile))
  }

  /// What the processing system can do; read when a load starts.
  public var fitting: Fitting {
    get { inputs.withLock { $0.fitting } }
    set { inputs.withLock { $0.fitting = newValue } }
  }

  /// What is known of the listener's hearing; read when a load starts.
  public var profile: HearingProfile? {
    get { inputs.withLock { $0.profile } }
    set { inputs.withLock { $0.profile = newValue } }
  }

  var remote: RemoteSource<Preset?> {
    RemoteSource { [self] in
      let inputs = inputs.withLock { $0 }
      return .init(generation: inputs.generation) { try inputs.preset(.default) }
    }
  }
}
