public import HearingDSP

extension RenderEvent.Kind {
  /// Somebody has started or stopped talking into the muted microphone: ``RenderEvent/voiceChange``.
  public static var mutedTalker: Self {
    @_noLocks @_noAllocation get { Self(rawValue: 0x201) }
  }

  /// A voice has started or ended at the microphone: ``RenderEvent/voiceChange``.
  public static var nearVoice: Self {
    @_noLocks @_noAllocation get { Self(rawValue: 0x202) }
  }

  /// A voice has started or ended at the other end: ``RenderEvent/voiceChange``.
  public static var farVoice: Self {
    @_noLocks @_noAllocation get { Self(rawValue: 0x203) }
  }

  /// The gain of other audio sets off for another value: the value, in dB.
  public static var ducking: Self {
    @_noLocks @_noAllocation get { Self(rawValue: 0x204) }
  }

  /// The kind that tells of a side's voice.
  public static func voice(_ side: VoiceSide) -> Self {
    switch side {
    case .near: .nearVoice
    case .far: .farVoice
    }
  }
}

extension RenderEvent {
  /// A change of voice; `period` tells which mute, or which spell of detection, it belongs to.
  @_noLocks @_noAllocation
  package init(_ kind: Kind, frame: Int64, change: VoiceState.Change, period: UInt32) {
    switch change {
    case .started: self.init(kind, frame: frame, value: Double(UInt64(period) * 2 + 1))
    case .ended: self.init(kind, frame: frame, value: Double(UInt64(period) * 2))
    }
  }

  /// What an event of ``Kind/mutedTalker``, ``Kind/nearVoice`` or ``Kind/farVoice`` tells; nil for
  /// events of other kinds.
  public var voiceChange: VoiceState.Change? {
    switch kind {
    case .mutedTalker, .nearVoice, .farVoice:
      UInt64(value) & 1 == 1 ? .started : .ended
    default: nil
    }
  }

  /// Which mute, or which spell of detection, a change of voice belongs to.
  package var voicePeriod: UInt32 { UInt32(truncatingIfNeeded: UInt64(value) / 2) }
}
