import HearingProcessing
import TestSupport

/// A recommendation source. The test provides its answers.
struct AskingSource: RecommendationSource {
  let calls: PendingCalls<ParameterRecommendation>

  func recommendation(for event: ListenerEvent) async throws -> ParameterRecommendation {
    try await calls.next()
  }
}

/// A preset source. The test provides its answers.
struct CallingLoader: PresetLoading {
  let calls: PendingCalls<Preset?>

  func loadPreset() async throws -> Preset? {
    try await calls.next()
  }
}
