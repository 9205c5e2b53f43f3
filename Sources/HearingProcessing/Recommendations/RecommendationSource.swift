/// Recommends parameter values after a listener event.
public protocol RecommendationSource: Sendable {
  /// Returns the parameter values that are recommended after `event`. The method must return within
  /// ten seconds.
  ///
  /// - Throws: Any error. If this method throws an error, `report(_:)` fails with
  ///   `recommendationFailed`, which contains the error.
  func recommendation(for event: ListenerEvent) async throws -> ParameterRecommendation
}

/// The recommendation source that a controller uses by default.
package struct DefaultRecommendationSource: RecommendationSource {
  /// Creates the default source.
  package init() {}

  /// Returns the recommendation for `event` from the table in the documentation of
  /// `ProcessingController.recommendationSource`.
  package func recommendation(for event: ListenerEvent) async -> ParameterRecommendation {
    switch event.name {
    case ListenerEvent.Name.authenticated:
      ParameterRecommendation(reloadsPreset: true)
    case ListenerEvent.Name.hearingTestSubmitted:
      ParameterRecommendation(isEnabled: true, intensity: 1, reloadsPreset: true)
    case ListenerEvent.Name.profileCleared:
      ParameterRecommendation(isEnabled: false, reloadsPreset: true)
    case ListenerEvent.Name.signedOut:
      ParameterRecommendation(isEnabled: false, clearsPreset: true)
    default:
      ParameterRecommendation()
    }
  }
}
