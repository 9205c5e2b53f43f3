/// The settings of a call, packed into one atomic word.
struct VoiceSettings: Equatable {
  private(set) var isMuted = false
  private(set) var isMutedElsewhere = false
  private(set) var detectsVoiceActivity = false
  private(set) var periods = VoicePeriods()
  var ducking = OtherAudioDuckingConfiguration(
    enableAdvancedDucking: false, duckingLevel: .default)

  /// Creates settings without mute and voice activity detection, with plain ducking by the default
  /// amount.
  init() {}

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

  /// Whether the other end of the call hears nothing, because the call is muted here or elsewhere.
  var isMutedAnywhere: Bool { isMuted || isMutedElsewhere }

  /// Mutes or unmutes here, elsewhere or both; a change of ``isMutedAnywhere`` begins a new period.
  mutating func mute(_ isMuted: Bool? = nil, elsewhere isMutedElsewhere: Bool? = nil) {
    let before = isMutedAnywhere
    self.isMuted = isMuted ?? self.isMuted
    self.isMutedElsewhere = isMutedElsewhere ?? self.isMutedElsewhere
    if isMutedAnywhere != before { periods.advanceMute() }
  }

  /// Switches detection on or off; a change begins a new period.
  mutating func detectVoiceActivity(_ detects: Bool) {
    guard detects != detectsVoiceActivity else { return }
    detectsVoiceActivity = detects
    periods.advanceDetection()
  }
}

/// Numbers the periods between changes of a setting, so that a late event is not mistaken for an
/// event of the current period.
struct VoicePeriods: Equatable {
  /// Counts mutes and unmutes.
  var mute: UInt32 = 0
  /// Counts switches of voice activity detection.
  var detection: UInt32 = 0

  private static let mask: UInt32 = 0xFF_FFFF

  /// The first period of each setting.
  init() {}

  /// The periods in the upper bits of `word`.
  init(word: UInt64) {
    mute = UInt32(truncatingIfNeeded: word >> 8) & Self.mask
    detection = UInt32(truncatingIfNeeded: word >> 32) & Self.mask
  }

  /// The periods in a word whose lower eight bits are free.
  var word: UInt64 { UInt64(mute) << 8 | UInt64(detection) << 32 }

  /// Begins the period after a mute or unmute.
  mutating func advanceMute() { mute = (mute + 1) & Self.mask }

  /// Begins the period after a switch of detection.
  mutating func advanceDetection() { detection = (detection + 1) & Self.mask }
}
