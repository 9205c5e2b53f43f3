import ExampleSupport
import HearingAudiometry

/// The listener who takes the test: a person at the keyboard, or a simulation.
protocol TestListener {
  /// Plays a presentation and waits until its response window ends.
  ///
  /// - Parameter number: The number of previous answers.
  func listen(
    to presentation: Presentation, number: Int
  ) throws(CommandFailure) -> ListeningOutcome

  /// Waits until the listener ends the break.
  func waitForBreak(_ reason: PauseReason?) throws(CommandFailure)

  /// Stops the playback.
  func end()
}

/// The outcome of a presentation.
enum ListeningOutcome {
  case answer(ToneResponse, after: Duration?)
  /// The listener made a pause, so the same presentation must be played again.
  case again
  /// The listener wants to stop.
  case stop
}
