import ExampleSupport
import HearingAudiometry
import HearingFitting

/// A simulated listener, who answers immediately.
///
/// Each answer depends only on the seed and on the number of previous answers. Therefore a test
/// that was stopped and resumed has the same result as an uninterrupted test.
struct SimulatedAnswers: TestListener {
  let profile: HearingProfile
  let seed: UInt64

  func listen(
    to presentation: Presentation, number: Int
  ) throws(CommandFailure) -> ListeningOutcome {
    var listener = SimulatedListener(profile: profile, seed: seed &* 1000 &+ UInt64(number))
    let (response, delay) = listener.respond(to: presentation)
    return .answer(response, after: delay)
  }

  func waitForBreak(_ reason: PauseReason?) throws(CommandFailure) {}

  func end() {}
}
