import AVFAudio
import HearingAudio
import HearingDSP
import HearingProcessing

/// The audio engine: a file player or the microphone, the hearing unit, and the output.
@MainActor
final class AudioChain {
  enum Source {
    case file(URL)
    case microphone
  }

  private let session: ProcessingSession
  private var engine = AVAudioEngine()
  private var player: AVAudioPlayerNode?
  private var unit: HearingAudioUnit?
  private var source: Source?

  init(_ session: ProcessingSession) {
    self.session = session
    HearingAudioUnit.register()
  }

  /// The levels of the processed sound; nil while nothing plays.
  var levels: (gains: [Double], inputs: [Double])? {
    guard let channel = unit?.processor?.levels.channels.first else { return nil }
    return (channel.gains, channel.inputLevels ?? channel.gains.map { _ in 0 })
  }

  /// The centre frequencies of the bands in Hz.
  var centers: [Double] { unit?.processor?.layout.centers ?? [] }

  /// Stops the current source and starts another one.
  func play(_ source: Source) async throws {
    stop()
    self.source = source
    let audioSession = AVAudioSession.sharedInstance()
    switch source {
    case .file: try audioSession.setCategory(.playback, mode: .default)
    case .microphone:
      try audioSession.setCategory(
        .playAndRecord, mode: .measurement, options: [.allowBluetoothA2DP])
    }
    try audioSession.setActive(true)
    let effect = try await AVAudioUnit.instantiate(
      with: HearingAudioUnit.componentDescription, options: [])
    let unit = effect.auAudioUnit as? HearingAudioUnit
    unit?.follow(session)
    self.unit = unit
    engine.attach(effect)
    switch source {
    case .file(let url):
      let file = try AVAudioFile(forReading: url)
      let player = AVAudioPlayerNode()
      engine.attach(player)
      engine.connect(player, to: effect, format: file.processingFormat)
      engine.connect(effect, to: engine.mainMixerNode, format: file.processingFormat)
      try engine.start()
      player.scheduleFile(file, at: nil, completionHandler: nil)
      player.play()
      self.player = player
    case .microphone:
      let format = engine.inputNode.outputFormat(forBus: 0)
      engine.connect(engine.inputNode, to: effect, format: format)
      engine.connect(effect, to: engine.mainMixerNode, format: format)
      try engine.start()
    }
  }

  /// Stops the sound.
  func stop() {
    player?.stop()
    engine.stop()
    engine = AVAudioEngine()
    player = nil
    unit = nil
  }

  /// Starts the sound again with new audio objects, after a reset of media services.
  func rebuild() async throws {
    guard let source else { return }
    try await play(source)
  }
}
