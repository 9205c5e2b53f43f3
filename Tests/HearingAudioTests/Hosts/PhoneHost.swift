import HearingAudio
import TestSupport

/// An audio host as phones have it: it asks for as many frames as suits it, and for more than the
/// graph was built for when a hearing device connects after its buffer duration was changed.
final class PhoneHost: Sendable {
  static let sampleRate = 44_100.0

  private let state = Guarded(State())

  private struct State {
    var preferredBufferDuration = 0.0
    var isLocked = false
    var hasHearingDevice = false
  }

  /// What an app asks for, in seconds.
  var preferredBufferDuration: Double {
    get { state.withLock { $0.preferredBufferDuration } }
    set { state.withLock { $0.preferredBufferDuration = newValue } }
  }

  func lockScreen(_ isLocked: Bool) { state.withLock { $0.isLocked = isLocked } }

  func connectHearingDevice(_ isConnected: Bool) {
    state.withLock { $0.hasHearingDevice = isConnected }
  }

  /// How many frames it asks for next.
  var sliceFrameCount: Int {
    state.withLock { state in
      // As observed: 5,513 frames are an eighth of a second, which is no power of two.
      if state.hasHearingDevice, state.preferredBufferDuration == 0.125 { return 5_513 }
      return state.isLocked ? 4_096 : 1_024
    }
  }
}
