internal import HearingFitting

/// The checks for answers that may not depend on the tones. The reason may be sleep, tinnitus or
/// random presses.
extension ToneTest {
  /// Whether the listener may be asleep. The parameter `other` is the ear of the next tone.
  ///
  /// The result is true if the listener responded to a tone at `other`, and never responded to a
  /// tone at the opposite ear. There are two possible causes. Either the opposite ear is deaf, or
  /// the listener fell asleep at the start of the test of the opposite ear. A pause could wake the
  /// listener, so the test continues without a pause. The answers to the next tones show whether
  /// the listener is awake.
  func isAwakeUncertain(_ other: Ear) -> Bool {
    let ears = history.filter { $0.isScored && $0.response.isHeard }.map { $0.presentation.ear }
    return ears.contains(other) && !ears.contains(other.other)
  }

  /// Whether the listener pressed the button at least twice in silence near a frequency. Such
  /// presses may be a sign of a phantom tone (tinnitus). If the result is true, the tones near this
  /// frequency are warbled.
  func mayHearPhantom(near frequency: Double) -> Bool {
    Reliability.phantoms(near: frequency, in: history).count >= 2
  }

  /// The probability that the next presentation is a catch trial, if a catch trial is allowed.
  ///
  /// If `isSuspicious` is true, the listener pressed at least twice in silence near this frequency,
  /// and the probability is higher. The additional catch trials show whether the listener presses again.
  /// The probability is also higher if the listener pressed in more than one sixth of the catch
  /// trials. Such a listener may press regardless of the tones.
  func catchTrialProbability(isSuspicious: Bool) -> Double {
    let catchTrials = history.filter { $0.presentation.isSilent }
    let presses = catchTrials.count { $0.response.isHeard }
    return isSuspicious || presses * 6 > catchTrials.count ? 0.5 : 0.08
  }
}
