public import HearingFitting

/// The next step of a test.
public enum ToneTestStep: Sendable, Equatable {
  /// Play this presentation, observe the button, and call ``ToneTest/answer(_:after:)``.
  case present(Presentation)
  /// Wait for this duration, then call ``ToneTest/resume()``. ``ToneTest/pauseReason`` contains the
  /// reason.
  case pause(Duration)
  /// The test is over. The app sets the date of the profile.
  case finished(HearingProfile)
}

/// Why a test pauses.
public enum PauseReason: String, Sendable, Hashable, CaseIterable, Codable {
  /// One ear is finished. The listener has a break before the other ear.
  case otherEar = "other-ear"
  /// The room is too loud. Report its noise again with ``ToneTest/note(ambientNoise:attenuation:)``.
  case ambientNoise = "ambient-noise"
  /// Volume, equaliser, spatial audio or noise cancelling changed. Restore the earlier settings.
  case calibrationChange = "calibration-change"
}
