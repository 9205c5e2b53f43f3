/// Says what is to be done when something happened to the listener.
public protocol RecommendationSource: Sendable {
  /// What the parameters should be after `event`.
  ///
  /// - Throws: Whatever hinders an answer; `report(_:)` fails with it.
  func recommendation(for event: ListenerEvent) async throws -> ParameterRecommendation
}

/// What a controller does unless it is given another source.
///
/// | event | preset | intensity | isEnabled |
/// |---|---|---|---|
/// | a listener signed in | reloaded | as it is | as it is |
/// | a hearing test was submitted | reloaded | 1 | true |
/// | the profile was cleared | reloaded | as it is | false |
/// | anything else | as it is | as it is | as it is |
public struct DefaultRecommendationSource: RecommendationSource {
  /// The default source.
  public init() {}

  /// The recommendation of the table above.
  public func recommendation(for event: ListenerEvent) async -> ParameterRecommendation {
    switch event.name {
    case ListenerEvent.Name.authenticated:
      ParameterRecommendation(reloadsPreset: true)
    case ListenerEvent.Name.hearingTestSubmitted:
      ParameterRecommendation(isEnabled: true, intensity: 1, reloadsPreset: true)
    case ListenerEvent.Name.profileCleared:
      ParameterRecommendation(isEnabled: false, reloadsPreset: true)
    default:
      ParameterRecommendation()
    }
  }
}
