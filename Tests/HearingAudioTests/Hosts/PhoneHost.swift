import HearingAudio
import TestSupport

/// An audio host that chooses slice sizes like the host of a phone. First the app changes the
/// buffer duration, and later a hearing device connects. After that, the host requests more frames
/// per slice than the audio graph accepts.
final class PhoneHost: Sendable {
  static let sampleRate = 44_100.0

  private let state = Guarded(State())

  private struct State {
    var preferredBufferDuration = 0.0
    var isLocked = false
    var hasHearingDevice = false
  }

  /// The buffer duration that the app requests, in seconds.
  var preferredBufferDuration: Double {
    get { state.withLock { $0.preferredBufferDuration } }
    set { state.withLock { $0.preferredBufferDuration = newValue } }
  }

  func lockScreen(_ isLocked: Bool) { state.withLock { $0.isLocked = isLocked } }

  func connectHearingDevice(_ isConnected: Bool) {
    state.withLock { $0.hasHearingDevice = isConnected }
  }

  /// The number of frames in the next slice.
  var sliceFrameCount: Int {
    state.withLock { state in
      // Some devices have requested 5,513 frames. This is the number of frames in 0.125 s at 44.1
      // kHz. It is not a power of two.
      if state.hasHearingDevice, state.preferredBufferDuration == 0.125 { return 5_513 }
      return state.isLocked ? 4_096 : 1_024
    }
  }
}
