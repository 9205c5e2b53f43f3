public import HearingFitting

/// What comes next in a test.
public enum ToneTestStep: Sendable, Equatable {
  /// Play this, watch the button, and answer.
  case present(Presentation)
  /// Wait this long, then call ``ToneTest/resume()``; ``ToneTest/pauseReason`` says why.
  case pause(Duration)
  /// The test is over. The app sets the date of the profile.
  case finished(HearingProfile)
}

/// Why a test waits.
public enum PauseReason: String, Sendable, Hashable, CaseIterable, Codable {
  /// One ear is finished: a break before the other ear.
  case otherEar = "other-ear"
  /// The room is too loud; report its levels again.
  case ambientNoise = "ambient-noise"
  /// Volume, equaliser, spatial audio or noise cancelling changed: restore the earlier settings.
  case calibrationChange = "calibration-change"
}
