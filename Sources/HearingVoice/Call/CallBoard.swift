import Synchronization

/// The atomic words that both the control side and the render side of a `VoiceProcessor` use. The
/// control side is the code that sets and reads properties. The render side is the code that
/// processes audio.
struct CallBoard: ~Copyable {
  /// The current settings. The control side changes the settings, and the render side reads the
  /// settings.
  let settings = AtomicWord(VoiceSettings())
  /// The microphone mode. The control side changes the mode, and the render side reads the mode.
  let mode = AtomicWord(MicrophoneMode.linear)
  /// The known properties of the path from the loudspeaker to the microphone. The control side
  /// changes the echo path, and the render side reads the echo path.
  let path: AtomicWord<EchoPath>
  /// The voice activity in the call. The render side writes the voice activity, and the control
  /// side reads the voice activity.
  let report = AtomicWord(VoiceReport())
  /// The report on the echo. The render side writes the report, and the control side reads the
  /// report.
  let echo = AtomicWord(EchoReport())
  /// The gain in dB of other audio, for example music, at the end of the last block. The render
  /// side writes the gain, and the control side reads the gain.
  let duckingGain = Atomic<Float>(0)

  init(path: EchoPath) { self.path = AtomicWord(path) }
}

/// A value that several threads use, packed into one atomic word. Stores have releasing memory
/// order, and loads have acquiring memory order.
struct AtomicWord<Value: PackedWord>: ~Copyable {
  private let word: Atomic<UInt64>

  init(_ value: Value) { word = Atomic(value.word) }

  var value: Value {
    get { Value(word: word.load(ordering: .acquiring)) }
    nonmutating set { word.store(newValue.word, ordering: .releasing) }
  }

  /// Changes the value. If another thread changes the value at the same time, both changes are
  /// stored.
  func change(_ change: (inout Value) -> Void) {
    var former = word.load(ordering: .acquiring)
    while true {
      var value = Value(word: former)
      change(&value)
      let (exchanged, original) = word.compareExchange(
        expected: former, desired: value.word, ordering: .acquiringAndReleasing)
      if exchanged { return }
      former = original
    }
  }
}

/// The voice activity that the render side reports, packed into one atomic word.
struct VoiceReport: Equatable, PackedWord {
  var isTalkingWhileMuted = false
  var isNearVoiceActive = false
  var isFarVoiceActive = false
  /// The numbers of the mute period and of the detection period to which the report belongs.
  var periods = VoicePeriods()

  mutating func code(_ coder: inout WordCoder) {
    coder.code(&isTalkingWhileMuted)
    coder.code(&isNearVoiceActive)
    coder.code(&isFarVoiceActive)
    periods.code(&coder)
  }
}
