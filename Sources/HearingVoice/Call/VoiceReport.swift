/// What rendering tells of a call's state, small enough for one atomic word.
struct VoiceReport: Equatable {
  var isTalkingWhileMuted = false
  var isNearVoiceActive = false
  var isFarVoiceActive = false
  /// What this is about.
  var periods = VoicePeriods()

  /// Nobody talks.
  @_noLocks @_noAllocation
  init() {}

  /// The report that was packed into `word`.
  init(word: UInt64) {
    isTalkingWhileMuted = word & 1 != 0
    isNearVoiceActive = word & 2 != 0
    isFarVoiceActive = word & 4 != 0
    periods = VoicePeriods(word: word)
  }

  /// The report in one word.
  var word: UInt64 {
    @_noLocks @_noAllocation get {
      var word = periods.word
      if isTalkingWhileMuted { word |= 1 }
      if isNearVoiceActive { word |= 2 }
      if isFarVoiceActive { word |= 4 }
      return word
    }
  }
}
