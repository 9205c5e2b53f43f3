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

/// A place of your own that presets come from: a server, a companion app, a file.
public protocol PresetLoading: Sendable {
  /// Loads the listener's preset.
  ///
  /// - Returns: The preset, or nil if nothing personal is known of the listener.
  /// - Throws: Whatever hinders it; the result of `reload()` carries it as `loadFailed`. The task is
  ///   cancelled when a newer load takes its place.
  func loadPreset() async throws -> Preset?
}

/// Counts what was reported about the listener's profile, for sources that know it by themselves: a
/// load that began before may bring what is out of date.
final class ProfileChanges: Sendable {
  private let number = Lock<UInt64>(0)

  /// How many there were.
  var count: UInt64 { number.withLock { $0 } }

  func increase() {
    number.withLock { $0 += 1 }
  }
}
