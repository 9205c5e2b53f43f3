internal import HearingDSP
internal import HearingBuffers
import Synchronization

/// The atomic words that the control side and the render side of a `VoiceProcessor` share.
///
/// Each side has its own copy of the reference to the same row of words. The processor that creates
/// the row calls `deallocate()`.
struct CallBoard {
  private let words: Row<Words>

  struct Words: ~Copyable {
    let settings = Atomic<UInt64>(VoiceSettings().word)
    let report = Atomic<UInt64>(VoiceReport().word)
    let duckingGain = Atomic<UInt32>(0)
    let mode = Atomic<UInt64>(MicrophoneMode.linear.word)
    let path = Atomic<UInt64>(EchoPath().word)
    let echo = Atomic<UInt64>(EchoReport().word)
  }

  init() {
    words = .allocated(count: 1) { _ in Words() }
  }

  @unsafe func deallocate() {
    unsafe words.deallocate(count: 1)
  }

  /// The current settings. Both sides may use this member.
  var settings: VoiceSettings {
    VoiceSettings(word: words[0].settings.load(ordering: .acquiring))
  }

  /// The microphone mode. Both sides may use this member.
  var mode: MicrophoneMode {
    get { MicrophoneMode(word: words[0].mode.load(ordering: .acquiring)) }
    nonmutating set { words[0].mode.store(newValue.word, ordering: .releasing) }
  }

  /// The echo path. Both sides may use this member.
  var path: EchoPath {
    get { EchoPath(word: words[0].path.load(ordering: .acquiring)) }
    nonmutating set { words[0].path.store(newValue.word, ordering: .releasing) }
  }

  /// Changes the settings. Changes by other threads at the same time are not lost. The control side
  /// uses this member.
  func change(_ change: (inout VoiceSettings) -> Void) {
    var word = words[0].settings.load(ordering: .acquiring)
    while true {
      var settings = VoiceSettings(word: word)
      change(&settings)
      let (exchanged, original) = words[0].settings.compareExchange(
        expected: word, desired: settings.word, ordering: .acquiringAndReleasing)
      if exchanged { return }
      word = original
    }
  }

  /// The last report that the render side has published. The control side uses this member.
  var report: VoiceReport {
    VoiceReport(word: words[0].report.load(ordering: .acquiring))
  }

  /// The gain of other audio in dB at the end of the last block. The control side uses this member.
  var duckingGain: Float {
    Float(bitPattern: words[0].duckingGain.load(ordering: .relaxed))
  }

  /// The report on the echo. The render side writes the report, and the control side reads it.
  var echo: EchoReport {
    get { EchoReport(word: words[0].echo.load(ordering: .relaxed)) }
    nonmutating set { words[0].echo.store(newValue.word, ordering: .relaxed) }
  }

  /// Publishes the report and the ducking gain to the control side. For the render side.
  func publish(_ report: VoiceReport, duckingGain: Float) {
    words[0].report.store(report.word, ordering: .releasing)
    words[0].duckingGain.store(duckingGain.bitPattern, ordering: .relaxed)
  }
}

// The type is Sendable because the row is constant and its words are atomic.
extension CallBoard: @unchecked Sendable {}

/// The state of a call that the render side reports, packed into one atomic word.
struct VoiceReport: Equatable {
  var isTalkingWhileMuted = false
  var isNearVoiceActive = false
  var isFarVoiceActive = false
  /// The numbers of the period of mute and of the period of voice detection to which the report
  /// belongs.
  var periods = VoicePeriods()
}

extension VoiceReport: PackedWord {
  mutating func code(_ coder: inout WordCoder) {
    coder.code(&isTalkingWhileMuted)
    coder.code(&isNearVoiceActive)
    coder.code(&isFarVoiceActive)
    periods.code(&coder)
  }
}
