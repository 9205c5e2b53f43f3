public import HearingFitting

/// The next step of a test.
public enum ToneTestStep: Sendable, Equatable {
  /// Play this presentation, observe the button, and call ``ToneTest/answer(_:after:)``.
  case present(Presentation)
  /// Wait for this duration, then call ``ToneTest/resume()``. ``ToneTest/pauseReason`` contains the
  /// reason.
  case pause(Duration)
  /// The test is over. The app must set the date of this profile.
  case finished(HearingProfile)
}

/// The reason why a test pauses.
public enum PauseReason: String, Sendable, Hashable, CaseIterable, Codable {
  /// One ear is finished. The listener gets a break before the test of the other ear.
  case otherEar = "other-ear"
  /// The room is too loud. To continue, report the noise again with
  /// ``ToneTest/note(ambientNoise:attenuation:)``.
  case ambientNoise = "ambient-noise"
  /// The volume, the equaliser, spatial audio or noise cancelling has changed. Restore the earlier
  /// settings, and then call ``ToneTest/resume()``.
  case calibrationChange = "calibration-change"
}
