/// A place of your own that presets come from: a server, a companion app, a file.
public protocol PresetLoading: Sendable {
  /// Loads the listener's preset.
  ///
  /// - Returns: The preset, or nil if nothing personal is known of the listener.
  /// - Throws: Whatever hinders it; the result of `reload()` carries it as `loadFailed`. The task is
  ///   cancelled when a newer load takes its place.
  func loadPreset() async throws -> Preset?
}
