import HearingProcessing
import TestSupport

/// A recommendation source that the test answers for.
struct AskingSource: RecommendationSource {
  let calls: PendingCalls<ParameterRecommendation>

  func recommendation(for event: ListenerEvent) async throws -> ParameterRecommendation {
    try await calls.next()
  }
}

/// A preset source that the test answers for.
struct CallingLoader: PresetLoading {
  let calls: PendingCalls<Preset?>

  func loadPreset() async throws -> Preset? {
    try await calls.next()
  }
}
