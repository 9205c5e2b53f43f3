import HearingProcessing
import TestSupport

/// A recommendation source whose answers the test provides.
struct AskingSource: RecommendationSource {
  let calls: PendingCalls<ParameterRecommendation>

  func recommendation(for event: ListenerEvent) async throws -> ParameterRecommendation {
    try await calls.next()
  }
}

/// A preset source whose answers the test provides.
struct CallingLoader: PresetLoading {
  let calls: PendingCalls<Preset?>

  func loadPreset() async throws -> Preset? {
    try await calls.next()
  }
}
