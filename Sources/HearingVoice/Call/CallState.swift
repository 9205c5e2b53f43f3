internal import HearingDSP

/// All that the render side of a `VoiceProcessor` owns.
///
/// Only one thread at a time may use it.
struct CallState: ~Copyable {
  let sampleRate: Double
  let farChannelCount: Int
  let board: CallBoard
  let events: RenderEventWriter

  /// The far voice's processor; its owner keeps it alive.
  let farProcessor: BandGainRenderer?
  let stages: UnsafeMutablePointer<UplinkStage>
  let stageCount: Int

  var nearDetector: VoiceActivityDetector
  var farDetector: VoiceActivityDetector
  var canceller: EchoCanceller
  var ducker: OtherAudioDucker
  var mute: MuteFade

  /// Who talks, as ducking has it: at any time, muted or not.
  var nearVoice = VoiceState()
  var farVoice = VoiceState()
  /// Who talks, as it is told.
  var mutedTalker = VoiceWatch()
  var nearWatch = VoiceWatch()
  var farWatch = VoiceWatch()

  /// The settings in force.
  var settings = VoiceSettings()
  var settingsWord: UInt64 = 0
  var hasBegun = false
  /// Frames since the first one.
  var position: Int64 = 0
  /// The energy of playback in the 10 ms under way, and its power lately, as it dies away in a room.
  var playbackEnergy: Float = 0
  var playbackEnvelope: Float = 0
  /// The gain in dB that was told last.
  var toldDuckingGain: Float = 0

  /// The samples of one piece, each `capacity` long.
  let capacity: Int
  let microphone: UnsafeMutablePointer<Float>
  let farVoiceMix: UnsafeMutablePointer<Float>
  let playbackMix: UnsafeMutablePointer<Float>
  /// Pointers to the two channels of each.
  let far: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let other: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  private let samples: UnsafeMutablePointer<Float>

  init(
    sampleRate: Double, farChannelCount: Int, board: CallBoard, events: RenderEventWriter,
    farProcessor: BandGainRenderer?, stages: [UplinkStage],
    nearDetector: consuming VoiceActivityDetector, farDetector: consuming VoiceActivityDetector,
    canceller: consuming EchoCanceller, ducker: consuming OtherAudioDucker
  ) {
    self.sampleRate = sampleRate
    self.farChannelCount = farChannelCount
    self.board = board
    self.events = events
    self.farProcessor = farProcessor
    self.stages = .allocate(capacity: max(1, stages.count))
    self.stages.initialize(from: stages, count: stages.count)
    stageCount = stages.count
    self.nearDetector = nearDetector
    self.farDetector = farDetector
    self.canceller = canceller
    self.ducker = ducker
    mute = MuteFade(sampleRate: sampleRate)
    // 10 ms, rounded up, and then up to whole vectors.
    capacity = (Int(sampleRate / 100) + 4) / 4 * 4
    samples = .filled(0, count: 7 * capacity)
    microphone = samples
    farVoiceMix = samples + capacity
    playbackMix = samples + 2 * capacity
    far = .allocate(capacity: 2)
    other = .allocate(capacity: 2)
    for channel in 0..<2 {
      (far + channel).initialize(to: samples + (3 + channel) * capacity)
      (other + channel).initialize(to: samples + (5 + channel) * capacity)
    }
  }

  deinit {
    stages.deallocate()
    samples.deallocate()
    far.deallocate()
    other.deallocate()
    mute.deallocate()
  }
}
