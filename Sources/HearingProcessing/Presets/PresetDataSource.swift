/// Where a session's preset comes from.
public enum PresetDataSource: Sendable {
  /// Computed from profile and fitting.
  case `default`(DefaultPresetDataSource)
  /// Computed, with a richer and a softer variant to choose from.
  case upDown(UpDownPresetDataSource)
  /// Loaded by a type that the app provides.
  case custom(any PresetLoading)

  /// - Parameter changes: Counts changes of the profile, for a custom source.
  func remote(_ changes: ProfileChanges) -> RemoteSource<Preset?> {
    switch self {
    case .default(let source): source.remote
    case .upDown(let source): source.remote
    case .custom(let loading):
      RemoteSource { .init(generation: changes.count) { try await loading.loadPreset() } }
    }
  }

  /// Removes what a custom source has stored.
  func clearCache() {
    if case .custom(let loading) = self { loading.clearCache() }
  }

  /// Replaces the listener's profile; a custom source manages the profile itself.
  func setProfile(_ profile: HearingProfile?) {
    switch self {
    case .default(let source): source.profile = profile
    case .upDown(let source): source.profile = profile
    case .custom: break
    }
  }
}

/// Loads presets from a source that the app provides: a server, a companion app, a file.
public protocol PresetLoading: Sendable {
  /// Loads the listener's preset.
  ///
  /// - Returns: The preset, or nil if there is no personal preset for the listener.
  /// - Throws: Any error; the result of `reload()` wraps it as `loadFailed`. The task is cancelled
  ///   when a newer load replaces it.
  func loadPreset() async throws -> Preset?

  /// Removes what is stored of the listener's preset; called when the listener has signed out. Without
  /// an implementation it does nothing.
  func clearCache()
}

extension PresetLoading {
  /// Does nothing.
  public func clearCache() {}
}

/// Counts reported changes of the listener's profile, for custom sources: a load that began before
/// a change may return an outdated preset.
final class ProfileChanges: Sendable {
  private let number = Lock<UInt64>(0)

  /// How many changes were reported.
  var count: UInt64 { number.withLock { $0 } }

  func increase() {
    number.withLock { $0 += 1 }
  }
}
