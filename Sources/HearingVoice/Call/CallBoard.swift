import Synchronization

/// What the two sides of a `VoiceProcessor` show each other: one atomic word each way, and meters.
///
/// A value of a pointer; whoever creates it calls `deallocate()`.
struct CallBoard {
  private let words: UnsafeMutablePointer<Words>

  private struct Words: ~Copyable {
    let settings = Atomic<UInt64>(VoiceSettings().word)
    let report = Atomic<UInt64>(VoiceReport().word)
    let duckingGain = Atomic<UInt32>(0)
  }

  init() {
    words = .allocate(capacity: 1)
    words.initialize(to: Words())
  }

  func deallocate() {
    words.deinitialize(count: 1)
    words.deallocate()
  }

  /// The settings as they stand. Control side.
  var settings: VoiceSettings { VoiceSettings(word: settingsWord) }

  /// The settings as they stand, packed. Either side.
  var settingsWord: UInt64 {
    @_noLocks @_noAllocation get { words.pointee.settings.load(ordering: .acquiring) }
  }

  /// Changes settings; of two changes at once neither is lost. Control side.
  func change(_ change: (inout VoiceSettings) -> Void) {
    var word = settingsWord
    while true {
      var settings = VoiceSettings(word: word)
      change(&settings)
      let (exchanged, original) = words.pointee.settings.compareExchange(
        expected: word, desired: settings.word, ordering: .acquiringAndReleasing)
      if exchanged { return }
      word = original
    }
  }

  /// What rendering told last. Control side.
  var report: VoiceReport {
    VoiceReport(word: words.pointee.report.load(ordering: .acquiring))
  }

  /// The gain of other audio in dB at the end of the last block. Control side.
  var duckingGain: Float {
    Float(bitPattern: words.pointee.duckingGain.load(ordering: .relaxed))
  }

  /// Tells the control side how things stand. Render side.
  @_noLocks @_noAllocation
  func show(_ report: VoiceReport, duckingGain: Float) {
    words.pointee.report.store(report.word, ordering: .releasing)
    words.pointee.duckingGain.store(duckingGain.bitPattern, ordering: .relaxed)
  }
}

// Sendable: a pointer that is never changed, to atomic words.
extension CallBoard: @unchecked Sendable {}
