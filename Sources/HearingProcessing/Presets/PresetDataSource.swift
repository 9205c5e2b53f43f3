/// Where a session's preset comes from.
public enum PresetDataSource: Sendable {
  /// Computed from profile and fitting.
  case `default`(DefaultPresetDataSource)
  /// Computed, with a richer and a softer variant to choose from.
  case upDown(UpDownPresetDataSource)
  /// Loaded by a type that the app provides.
  case custom(any PresetLoading)

  /// Reads the current inputs of a load, and returns the load.
  @Sendable func beginLoading() -> @Sendable () async throws -> Preset? {
    switch self {
    case .default(let source): source.beginLoading()
    case .upDown(let source): source.beginLoading()
    case .custom(let loading): { try await loading.loadPreset() }
    }
  }

  /// Clears the cache of a custom source.
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

  /// Removes the stored preset of the listener; called when the listener has signed out. Without an
  /// implementation it does nothing.
  func clearCache()
}

extension PresetLoading {
  /// Does nothing.
  public func clearCache() {}
}
