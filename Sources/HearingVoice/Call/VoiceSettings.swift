/// The settings of a call, packed into one atomic word.
struct VoiceSettings: Equatable, PackedWord {
  private(set) var isMuted = false
  private(set) var isMutedElsewhere = false
  private(set) var detectsVoiceActivity = false
  private(set) var periods = VoicePeriods()
  var ducking = OtherAudioDuckingConfiguration()

  /// Whether the processor, the system or the host mutes the microphone.
  var isMutedAnywhere: Bool { isMuted || isMutedElsewhere }

  /// The number of the current mute period, or nil while the microphone is not muted.
  var mutePeriod: UInt32? { isMutedAnywhere ? periods.mute : nil }

  /// The number of the current detection period, or nil while voices are not detected.
  var detectionPeriod: UInt32? { detectsVoiceActivity ? periods.detection : nil }

  /// Sets `isMuted`, `isMutedElsewhere` or both. If an argument is nil, the property keeps its
  /// value. A change of ``isMutedAnywhere`` starts a new mute period.
  mutating func mute(_ isMuted: Bool? = nil, elsewhere isMutedElsewhere: Bool? = nil) {
    let before = isMutedAnywhere
    self.isMuted = isMuted ?? self.isMuted
    self.isMutedElsewhere = isMutedElsewhere ?? self.isMutedElsewhere
    if isMutedAnywhere != before { periods.mute &+= 1 }
  }

  /// Switches voice activity detection on or off. A change starts a new detection period.
  mutating func detectVoiceActivity(_ detects: Bool) {
    if detects != detectsVoiceActivity { periods.detection &+= 1 }
    detectsVoiceActivity = detects
  }

  mutating func code(_ coder: inout WordCoder) {
    coder.code(&isMuted)
    coder.code(&detectsVoiceActivity)
    coder.code(&isMutedElsewhere)
    coder.code(&ducking.enableAdvancedDucking)
    coder.code(&ducking.duckingLevel, as: .min)
    coder.code(&ducking.duckingLevel, as: .mid)
    coder.code(&ducking.duckingLevel, as: .max)
    periods.code(&coder)
  }
}

/// The numbers of the current mute period and of the current detection period. A new mute period
/// starts when the microphone is muted or unmuted. A new detection period starts when voice
/// activity detection is switched on or off. An event contains the number of the period to which it
/// belongs. An event with an old number is out of date.
struct VoicePeriods: Equatable, PackedWord {
  /// The number of times that the microphone was muted or unmuted.
  var mute: UInt32 = 0
  /// The number of times that voice activity detection was switched on or off.
  var detection: UInt32 = 0

  /// Packs or unpacks the lower 24 bits of each number. Other fields use the lower eight bits of
  /// the word.
  mutating func code(_ coder: inout WordCoder) {
    coder.position = 8
    coder.code(&mute, bits: 24)
    coder.code(&detection, bits: 24)
  }
}
