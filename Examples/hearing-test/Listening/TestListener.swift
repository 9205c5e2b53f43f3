import ExampleSupport
import HearingAudiometry

/// Who takes the test: a person at the keyboard, or a simulation.
protocol TestListener {
  /// Plays a presentation and waits for the end of its window.
  ///
  /// - Parameter number: How many answers were given before.
  func listen(
    to presentation: Presentation, number: Int
  ) throws(CommandFailure) -> ListeningOutcome

  /// Waits while the listener takes a break.
  func rest(_ reason: PauseReason?) throws(CommandFailure)

  /// Ends playing.
  func end()
}

/// The outcome of a presentation.
enum ListeningOutcome {
  case answer(ToneResponse, after: Duration?)
  /// The listener paused; the same presentation is played again.
  case again
  /// The listener wants to stop.
  case stop
}
