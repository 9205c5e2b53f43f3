/// The settings of a call, small enough for one atomic word.
struct VoiceSettings: Equatable {
  private(set) var isMuted = false
  private(set) var detectsVoiceActivity = false
  private(set) var periods = VoicePeriods()
  var ducking = OtherAudioDuckingConfiguration(
    enableAdvancedDucking: false, duckingLevel: .default)

  /// Not muted, nothing detected, plain ducking by the default amount.
  init() {}

  /// The settings that were packed into `word`.
  @_noLocks @_noAllocation
  init(word: UInt64) {
    isMuted = word & 1 != 0
    detectsVoiceActivity = word & 2 != 0
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
    if ducking.enableAdvancedDucking { word |= 4 }
    switch ducking.duckingLevel {
    case .default: break
    case .min: word |= 1 << 3
    case .mid: word |= 2 << 3
    case .max: word |= 3 << 3
    }
    return word
  }

  /// Mutes or unmutes; a change begins a period.
  mutating func mute(_ isMuted: Bool) {
    guard isMuted != self.isMuted else { return }
    self.isMuted = isMuted
    periods.turnMute()
  }

  /// Switches detection on or off; a change begins a period.
  mutating func detectVoiceActivity(_ detects: Bool) {
    guard detects != detectsVoiceActivity else { return }
    detectsVoiceActivity = detects
    periods.turnDetection()
  }
}
