internal import HearingDSP

extension VoiceProcessor {
  /// Whether the microphone is muted. Default false. Control side, any thread.
  ///
  /// Muted, the uplink is digital silence after a fade of 15 ms; unmuting fades in as long. A change
  /// is taken up with the next block, or within 10 ms in a block under way; before the first frame
  /// it is in force from that frame on. Muting takes nothing else away: the echo canceller goes on
  /// adapting, and whoever talks is noticed: ``RenderEvent/Kind/mutedTalker``.
  public var isMuted: Bool {
    get { board.settings.isMuted }
    set { board.change { $0.mute(newValue) } }
  }

  /// How much other audio is lowered. Control side, any thread.
  ///
  /// A change is taken up with the next block, or within 10 ms in a block under way. To change one
  /// of the two settings while another thread may change the other, use
  /// ``changeOtherAudioDucking(_:)``.
  public var otherAudioDucking: OtherAudioDuckingConfiguration {
    get { board.settings.ducking }
    set { board.change { $0.ducking = newValue } }
  }

  /// Changes ``otherAudioDucking`` so that of two changes at once neither is lost. Any thread.
  ///
  /// - Parameter change: Called once, or again if another thread was faster; must have no other
  ///   effect.
  public func changeOtherAudioDucking(
    _ change: (inout OtherAudioDuckingConfiguration) -> Void
  ) {
    board.change { change(&$0.ducking) }
  }

  /// Whether voices are told of as such, whatever the mute. Default false. Control side, any thread.
  ///
  /// For those who bring a mute of their own, and for meters. Switching it on begins with nobody
  /// talking; switching it off ends talk under way without an event.
  public var isVoiceActivityDetectionEnabled: Bool {
    get { board.settings.detectsVoiceActivity }
    set { board.change { $0.detectVoiceActivity(newValue) } }
  }
}
