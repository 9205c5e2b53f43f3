public import HearingDSP

/// One of the two ends of a call.
public enum VoiceSide: String, Sendable, CaseIterable {
  /// The microphone at this end of the call.
  case near
  /// The other end of the call.
  case far
}

extension RenderEvent.Kind {
  /// Somebody has started or stopped talking into the muted microphone. `RenderEvent.voiceChange`
  /// says whether the talk started or ended.
  public static let mutedTalker: Self = Self(rawValue: 0x201)

  /// A voice has started or ended at the microphone. `RenderEvent.voiceChange` says whether the
  /// voice started or ended.
  public static let nearVoice: Self = Self(rawValue: 0x202)

  /// A voice has started or ended at the other end. `RenderEvent.voiceChange` says whether the
  /// voice started or ended.
  public static let farVoice: Self = Self(rawValue: 0x203)

  /// The gain of other audio has started to change. Other audio is, for example, music that is
  /// played during the call. The value of the event is the target gain in dB.
  public static let ducking: Self = Self(rawValue: 0x204)

  /// The kind of event that reports the start and the end of a voice on `side`.
  public static func voice(_ side: VoiceSide) -> Self {
    side == .near ? .nearVoice : .farVoice
  }
}

extension RenderEvent {
  /// Creates an event that reports the start or the end of a voice.
  ///
  /// - Parameter period: The number of the mute period or detection period to which the change
  ///   belongs.
  package init(_ kind: Kind, frame: Int64, change: VoiceState.Change, period: UInt32) {
    self.init(
      kind, frame: frame, value: Double(UInt64(period) * 2 + (change == .started ? 1 : 0)))
  }

  /// The change that an event of ``Kind/mutedTalker``, ``Kind/nearVoice`` or ``Kind/farVoice``
  /// reports. For events of other kinds, the value is nil.
  public var voiceChange: VoiceState.Change? {
    switch kind {
    case .mutedTalker, .nearVoice, .farVoice:
      UInt64(value) & 1 == 1 ? .started : .ended
    default: nil
    }
  }

  /// The number of the mute period or detection period to which the start or the end of a voice
  /// belongs.
  package var voicePeriod: UInt32 { UInt32(truncatingIfNeeded: UInt64(value) / 2) }
}
