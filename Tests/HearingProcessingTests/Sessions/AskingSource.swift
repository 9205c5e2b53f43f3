import HearingProcessing
import TestSupport

/// A recommendation source that waits until the test provides the answer.
struct AskingSource: RecommendationSource {
  let calls: PendingCalls<ParameterRecommendation>

  func recommendation(for event: ListenerEvent) async throws -> ParameterRecommendation {
    try await calls.next()
  }
}

/// A preset source that waits until the test provides the answer.
struct CallingLoader: PresetLoading {
  let calls: PendingCalls<Preset?>

  func loadPreset() async throws -> Preset? {
    try await calls.next()
  }
}
