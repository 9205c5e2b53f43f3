import HearingProcessing
import XCTest

final class DefaultRecommendationSourceTests: TimedTestCase {
  func test_recommendations_matchTheDocumentedTable() async {
    let source = DefaultRecommendationSource()
    let cases: [(ListenerEvent, ParameterRecommendation)] = [
      (.authenticated(listener: "a"), .init(reloadsPreset: true)),
      (
        .hearingTestSubmitted(HearingProfile(left: .n2)),
        .init(isEnabled: true, intensity: 1, reloadsPreset: true)
      ),
      (.profileCleared, .init(isEnabled: false, reloadsPreset: true)),
      (.init(name: "moved"), .init()),
    ]
    for (event, expected) in cases {
      let recommendation = await source.recommendation(for: event)
      XCTAssertEqual(recommendation, expected, event.name)
    }
  }
}
