internal import HearingFitting

/// The checks for answers that may have another cause than a tone, such as sleep, tinnitus or
/// random presses.
extension ToneTest {
  /// Whether the listener may be asleep: the announced ear responded to no tone, but the ear
  /// `other` responded to a tone. The ear `other` is tested next. Either the announced ear is deaf,
  /// or the listener fell asleep when the test of the announced ear began. A pause could wake the
  /// listener, so the test continues without a pause. The tones for `other` then show whether the
  /// listener is awake.
  func isAwakeUncertain(_ other: Ear) -> Bool {
    let ears = history.filter { $0.isScored && $0.response.isHeard }.map { $0.presentation.ear }
    return ears.contains(other) && !ears.contains(other.other)
  }

  /// Whether the listener often pressed in silence near a frequency, which may be a sign of a
  /// phantom tone (tinnitus). The tones near the frequency are then warbled.
  func mayHearPhantom(near frequency: Double) -> Bool {
    Reliability.phantoms(near: frequency, in: history).count >= 2
  }

  /// The probability of a catch trial at a step where catch trials are allowed.
  ///
  /// The probability is higher near a frequency where the listener often pressed in silence. The
  /// catch trials then show whether the listener presses again. The probability is also higher if
  /// the listener pressed in more than one of six catch trials. Such a listener may press
  /// regardless of the tones.
  func catchTrialProbability(isSuspicious: Bool) -> Double {
    let catchTrials = history.filter { $0.presentation.isSilent }
    let presses = catchTrials.count { $0.response.isHeard }
    return isSuspicious || presses * 6 > catchTrials.count ? 0.5 : 0.08
  }
}
