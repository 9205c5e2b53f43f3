import ExampleSupport
import HearingAudiometry

/// The listener who takes the test: a person at the keyboard, or a simulation.
protocol TestListener {
  /// Plays a presentation and waits for the end of its window.
  ///
  /// - Parameter number: The number of previous answers.
  func listen(
    to presentation: Presentation, number: Int
  ) throws(CommandFailure) -> ListeningOutcome

  /// Waits until the listener's break has ended.
  func waitForBreak(_ reason: PauseReason?) throws(CommandFailure)

  /// Stops the playback.
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
