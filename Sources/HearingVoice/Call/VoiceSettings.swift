/// The settings of a call, packed into one atomic word.
struct VoiceSettings: Equatable {
  private(set) var isMuted = false
  private(set) var isMutedElsewhere = false
  private(set) var detectsVoiceActivity = false
  private(set) var periods = VoicePeriods()
  var ducking = OtherAudioDuckingConfiguration(
    enableAdvancedDucking: false, duckingLevel: .default)

  /// Whether the call is muted here or elsewhere, so that the other end hears nothing.
  var isMutedAnywhere: Bool { isMuted || isMutedElsewhere }

  /// The number of the mute period. Nil while the call is not muted.
  var mutePeriod: UInt32? { isMutedAnywhere ? periods.mute : nil }

  /// The number of the detection period. Nil while voices are not detected.
  var detectionPeriod: UInt32? { detectsVoiceActivity ? periods.detection : nil }

  /// Sets `isMuted`, `isMutedElsewhere` or both. An argument that is nil changes nothing. A change
  /// of ``isMutedAnywhere`` starts a new period.
  mutating func mute(_ isMuted: Bool? = nil, elsewhere isMutedElsewhere: Bool? = nil) {
    let before = isMutedAnywhere
    self.isMuted = isMuted ?? self.isMuted
    self.isMutedElsewhere = isMutedElsewhere ?? self.isMutedElsewhere
    if isMutedAnywhere != before { periods.advanceMute() }
  }

  /// Switches voice activity detection on or off. If the value changes, a new period starts.
  mutating func detectVoiceActivity(_ detects: Bool) {
    if detects != detectsVoiceActivity { periods.advanceDetection() }
    detectsVoiceActivity = detects
  }
}

extension VoiceSettings {
  /// Unpacks settings.
  init(word: UInt64) {
    isMuted = word & 1 != 0
    detectsVoiceActivity = word & 2 != 0
    isMutedElsewhere = word & 32 != 0
    ducking.enableAdvancedDucking = word & 4 != 0
    switch (word >> 3) & 3 {
    case 0: ducking.duckingLevel = .default
    case 1: ducking.duckingLevel = .min
    case 2: ducking.duckingLevel = .mid
    default: ducking.duckingLevel = .max
    }
    periods = VoicePeriods(word: word)
  }

  /// The settings in one word.
  var word: UInt64 {
    var word = periods.word
    if isMuted { word |= 1 }
    if detectsVoiceActivity { word |= 2 }
    if isMutedElsewhere { word |= 32 }
    if ducking.enableAdvancedDucking { word |= 4 }
    switch ducking.duckingLevel {
    case .default: break
    case .min: word |= 1 << 3
    case .mid: word |= 2 << 3
    case .max: word |= 3 << 3
    }
    return word
  }
}

/// The numbers of the current mute period and the current detection period. A new period starts
/// when a setting changes. With the number, a late event can be assigned to its period.
struct VoicePeriods: Equatable {
  /// The number of times that the microphone was muted or unmuted.
  var mute: UInt32 = 0
  /// The number of times that voice activity detection was switched on or off.
  var detection: UInt32 = 0

  private static let mask: UInt32 = 0xFF_FFFF

  /// Starts a new period after a mute or an unmute.
  mutating func advanceMute() { mute = (mute + 1) & Self.mask }

  /// Starts a new period after voice activity detection was switched on or off.
  mutating func advanceDetection() { detection = (detection + 1) & Self.mask }
}

extension VoicePeriods {
  /// Unpacks the periods from the upper bits of `word`.
  init(word: UInt64) {
    mute = UInt32(truncatingIfNeeded: word >> 8) & Self.mask
    detection = UInt32(truncatingIfNeeded: word >> 32) & Self.mask
  }

  /// The periods, packed into a word whose lower eight bits are 0.
  var word: UInt64 { UInt64(mute) << 8 | UInt64(detection) << 32 }
}
