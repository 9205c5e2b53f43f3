/// Where a session's preset comes from.
public enum PresetDataSource: Sendable {
  /// Computed from profile and fitting.
  case `default`(DefaultPresetDataSource)
  /// Computed, with a richer and a softer variant to choose from.
  case upDown(UpDownPresetDataSource)
  /// Loaded by a type of the app's own.
  case custom(any PresetLoading)

  /// - Parameter changes: Of the profile, as far as a source of the app's own is concerned.
  func remote(_ changes: ProfileChanges) -> RemoteSource<Preset?> {
    switch self {
    case .default(let source): source.remote
    case .upDown(let source): source.remote
    case .custom(let loading):
      RemoteSource { .init(generation: changes.count) { try await loading.loadPreset() } }
    }
  }

  /// Replaces what is known of the listener's hearing; a source of the app's own knows by itself.
  func setProfile(_ profile: HearingProfile?) {
    switch self {
    case .default(let source): source.profile = profile
    case .upDown(let source): source.profile = profile
    case .custom: break
    }
  }
}
