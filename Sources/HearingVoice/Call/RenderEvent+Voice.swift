public import HearingDSP

/// An end of a call.
public enum VoiceSide: String, Sendable, CaseIterable {
  /// This end: the microphone.
  case near
  /// The other end.
  case far
}

extension RenderEvent.Kind {
  /// Somebody has started or stopped talking into the muted microphone: `RenderEvent/voiceChange`.
  public static let mutedTalker: Self = Self(rawValue: 0x201)

  /// A voice has started or ended at the microphone: `RenderEvent/voiceChange`.
  public static let nearVoice: Self = Self(rawValue: 0x202)

  /// A voice has started or ended at the other end: `RenderEvent/voiceChange`.
  public static let farVoice: Self = Self(rawValue: 0x203)

  /// The gain of other audio starts a transition to another value: the value, in dB.
  public static let ducking: Self = Self(rawValue: 0x204)

  /// The kind of event for the voice of one side.
  public static func voice(_ side: VoiceSide) -> Self {
    switch side {
    case .near: .nearVoice
    case .far: .farVoice
    }
  }
}

extension RenderEvent {
  /// A change of voice in one period of the mute or of detection.
  package init(_ kind: Kind, frame: Int64, change: VoiceState.Change, period: UInt32) {
    switch change {
    case .started: self.init(kind, frame: frame, value: Double(UInt64(period) * 2 + 1))
    case .ended: self.init(kind, frame: frame, value: Double(UInt64(period) * 2))
    }
  }

  /// The change that an event of ``Kind/mutedTalker``, ``Kind/nearVoice`` or ``Kind/farVoice``
  /// reports; nil for events of other kinds.
  public var voiceChange: VoiceState.Change? {
    switch kind {
    case .mutedTalker, .nearVoice, .farVoice:
      UInt64(value) & 1 == 1 ? .started : .ended
    default: nil
    }
  }

  /// The period of the mute or of detection that a change of voice belongs to.
  package var voicePeriod: UInt32 { UInt32(truncatingIfNeeded: UInt64(value) / 2) }
}
