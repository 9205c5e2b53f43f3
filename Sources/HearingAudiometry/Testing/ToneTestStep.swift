public import HearingFitting

/// The next step of a test.
public enum ToneTestStep: Sendable, Equatable {
  /// The app must play the presentation, observe the button, and call
  /// ``ToneTest/answer(_:after:)``.
  case present(Presentation)
  /// The app must wait for the associated duration, and then call ``ToneTest/resume()``.
  /// ``ToneTest/pauseReason`` contains the reason for the pause.
  case pause(Duration)
  /// The test is over, and the measured profile is available. The app must set the date of the
  /// profile.
  case finished(HearingProfile)
}

/// The reason why a test pauses.
public enum PauseReason: String, Sendable, Hashable, CaseIterable, Codable {
  /// The test of one ear is finished. The listener gets a break before the test of the other ear.
  /// If the second ear did not respond to any tone, the test returns to the first ear without a
  /// pause. An app that shows the tested ear must therefore use ``Presentation/ear``.
  case otherEar = "other-ear"
  /// The room is too loud. To continue, report the noise again with
  /// ``ToneTest/note(ambientNoise:attenuation:)``.
  case ambientNoise = "ambient-noise"
  /// The volume, the equaliser, spatial audio or noise cancelling has changed. Restore the
  /// calibrated settings, and then call ``ToneTest/resume()``.
  case calibrationChange = "calibration-change"
}
