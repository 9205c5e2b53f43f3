import ExampleSupport
import HearingAudiometry
import HearingFitting

/// A simulated listener, who needs no time.
///
/// Each answer depends on the seed and on how many were given before, so that a test that was
/// stopped and resumed ends as if it had not been.
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

  func rest(_ reason: PauseReason?) throws(CommandFailure) {}

  func end() {}
}
