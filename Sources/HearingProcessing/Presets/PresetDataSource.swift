/// The source of a session's preset.
public enum PresetDataSource: Sendable {
  /// Computes the preset from the hearing profile and the fitting.
  case `default`(DefaultPresetDataSource)
  /// Computes the preset, a variant with more gain, and a variant with less gain.
  case upDown(UpDownPresetDataSource)
  /// Loads the preset with a type that the app provides.
  case custom(any PresetLoading)

  /// Returns a closure that loads the preset. For a `default` or `upDown` source, the closure uses
  /// the fitting and the profile that are set when `beginLoading()` is called.
  @Sendable func beginLoading() -> @Sendable () async throws -> Preset? {
    switch self {
    case .default(let source): source.beginLoading()
    case .upDown(let source): source.beginLoading()
    case .custom(let loading): { try await loading.loadPreset() }
    }
  }

  /// Clears the cache of a `custom` source. Does nothing for other sources.
  func clearCache() {
    if case .custom(let loading) = self { loading.clearCache() }
  }

  /// Replaces the listener's profile. A `custom` source manages the profile itself, so this method
  /// does nothing for a `custom` source.
  func setProfile(_ profile: HearingProfile?) {
    switch self {
    case .default(let source): source.profile = profile
    case .upDown(let source): source.profile = profile
    case .custom: break
    }
  }
}

/// Loads presets from a source that the app provides, such as a server, a companion app or a file.
public protocol PresetLoading: Sendable {
  /// Loads the listener's preset.
  ///
  /// - Returns: The preset, or nil if there is no personal preset for the listener.
  /// - Throws: Any error. If this method throws an error, `reload()` fails with `loadFailed`, which
  ///   contains the error. The task that runs this method is cancelled when a newer load begins.
  func loadPreset() async throws -> Preset?

  /// Removes the stored preset of the listener. Called after the listener signs out. The default
  /// implementation does nothing.
  func clearCache()
}

extension PresetLoading {
  /// Does nothing.
  public func clearCache() {}
}
