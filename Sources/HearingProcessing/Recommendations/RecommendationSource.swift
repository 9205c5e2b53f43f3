/// Says what is to be done when something happened to the listener.
public protocol RecommendationSource: Sendable {
  /// What the parameters should be after `event`.
  ///
  /// - Throws: Whatever hinders an answer; `report(_:)` fails with it.
  func recommendation(for event: ListenerEvent) async throws -> ParameterRecommendation
}
