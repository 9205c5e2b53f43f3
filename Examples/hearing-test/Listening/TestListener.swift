import ExampleSupport
import HearingAudiometry

/// The listener of a hearing test: a person at the keyboard, or a simulation.
protocol TestListener {
  /// Plays the tone of a presentation and waits for the answer until the response window ends.
  ///
  /// - Parameter number: The number of previous answers.
  func listen(
    to presentation: Presentation, number: Int
  ) throws(CommandFailure) -> ListeningOutcome

  /// Waits until the listener ends a pause of the test.
  func waitForBreak(_ reason: PauseReason?) throws(CommandFailure)

  /// Stops the playback.
  func end()
}

/// The outcome after a tone was presented to the listener.
enum ListeningOutcome {
  case answer(ToneResponse, after: Duration?)
  /// The listener paused the test, so the same tone must be presented again.
  case again
  /// The listener wants to stop.
  case stop
}
