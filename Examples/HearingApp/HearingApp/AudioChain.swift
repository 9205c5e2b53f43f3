import AVFAudio
import Foundation
import HearingAudio
import HearingDSP
import HearingProcessing

/// Plays a file or the microphone through a `HearingAudioUnit`, the "hearing unit" of this diagram:
///
///     player or microphone → mixer → hearing unit → output
///
/// The mixer converts mono to stereo, because each ear needs its own gains. The mixer also converts
/// the sample rate of the source to the sample rate of the output.
@MainActor
final class AudioChain {
  enum Source {
    case file(URL)
    case microphone
  }

  enum Problem: LocalizedError {
    case noHeadphones
    case noStereo
    case outputChanged

    var errorDescription: String? {
      switch self {
      case .noHeadphones: "Connect headphones first: a loudspeaker feeds back into the microphone."
      case .noStereo: "The output is not stereo."
      case .outputChanged: "The sound was interrupted or the output has changed. Start again."
      }
    }
  }

  /// Called when the playback ends or fails. A call of ``stop()`` does not call this closure.
  var ended: ((any Error)?) -> Void = { _ in }

  private let session: ProcessingSession
  private var engine = AVAudioEngine()
  private var player: AVAudioPlayerNode?
  private var unit: HearingAudioUnit?
  private var source: Source?
  private var observers: [any NSObjectProtocol] = []

  init(_ session: ProcessingSession) {
    self.session = session
    HearingAudioUnit.register()
    observeSystem()
  }

  /// The gain in dB and the input level in dB SPL of each band in the first channel; nil while
  /// nothing plays.
  var levels: (gains: [Double], inputs: [Double])? {
    guard let channel = unit?.processor?.levels.channels.first else { return nil }
    return (channel.gains, channel.inputLevels ?? channel.gains.map { _ in 0 })
  }

  /// The centre frequencies of the bands in Hz.
  var centers: [Double] { unit?.processor?.layout.centers ?? [] }

  /// Stops the current source and starts another one.
  func play(_ source: Source) async throws {
    stop()
    let audioSession = AVAudioSession.sharedInstance()
    switch source {
    case .file: try audioSession.setCategory(.playback, mode: .default)
    case .microphone:
      try audioSession.setCategory(
        .playAndRecord, mode: .measurement, options: [.allowBluetoothA2DP])
    }
    try audioSession.setActive(true)
    if case .microphone = source { try Self.requireHeadphones() }
    let effect = try await AVAudioUnit.instantiate(
      with: HearingAudioUnit.componentDescription, options: [])
    let unit = effect.auAudioUnit as? HearingAudioUnit
    unit?.follow(session)
    self.unit = unit
    self.source = source
    guard
      let stereo = AVAudioFormat(
        standardFormatWithSampleRate: engine.outputNode.outputFormat(forBus: 0).sampleRate,
        channels: 2)
    else { throw Problem.noStereo }
    let mixer = AVAudioMixerNode()
    engine.attach(effect)
    engine.attach(mixer)
    engine.connect(mixer, to: effect, format: stereo)
    engine.connect(effect, to: engine.mainMixerNode, format: stereo)
    switch source {
    case .file(let url):
      let file = try AVAudioFile(forReading: url)
      let player = AVAudioPlayerNode()
      engine.attach(player)
      engine.connect(player, to: mixer, format: file.processingFormat)
      try engine.start()
      // Without this type, the closure is called before the end of the file has been heard.
      player.scheduleFile(file, at: nil, completionCallbackType: .dataPlayedBack) {
        [weak self] _ in
        Task { @MainActor in self?.fileEnded(player) }
      }
      player.play()
      self.player = player
    case .microphone:
      engine.connect(
        engine.inputNode, to: mixer, format: engine.inputNode.outputFormat(forBus: 0))
      try engine.start()
    }
  }

  /// Stops the playback.
  func stop() {
    let stopped = player
    player = nil
    source = nil
    unit = nil
    stopped?.stop()
    engine.stop()
    engine = AVAudioEngine()
  }

  /// Restarts the playback with new audio objects. A file restarts from its beginning.
  ///
  /// The audio objects must be replaced after a hardware change, an interruption, or a reset of
  /// media services.
  func rebuild() async {
    guard let source else { return }
    do {
      try await play(source)
    } catch {
      stop()
      ended(error)
    }
  }

  private func fileEnded(_ player: AVAudioPlayerNode) {
    guard player === self.player else { return }
    stop()
    ended(nil)
  }

  /// Throws an error if an active output cannot be headphones.
  ///
  /// The built-in loudspeaker, AirPlay, cars and HDMI are refused. The system does not report what
  /// is connected to a line output, a USB interface or Bluetooth. Therefore the app cannot detect
  /// loudspeakers on these outputs, and the listener must prevent feedback.
  private static func requireHeadphones() throws {
    let permitted: Set<AudioRoute.Kind> = [.wired, .bluetooth, .hearingDevice]
    let kinds = AVAudioSession.sharedInstance().currentRoute.outputs
      .map { AudioRoute.Kind($0.portType) }
    guard !kinds.isEmpty, kinds.allSatisfy(permitted.contains) else {
      throw Problem.noHeadphones
    }
  }

  private func observeSystem() {
    let center = NotificationCenter.default
    // The engine stops itself when the output or the sample rate changes.
    observers.append(
      center.addObserver(
        forName: .AVAudioEngineConfigurationChange, object: nil, queue: .main
      ) { [weak self] notification in
        let changed = notification.object.map { ObjectIdentifier($0 as AnyObject) }
        MainActor.assumeIsolated {
          guard let self, changed == ObjectIdentifier(self.engine) else { return }
          Task { await self.rebuild() }
        }
      })
    observers.append(
      center.addObserver(
        forName: AVAudioSession.interruptionNotification, object: nil, queue: .main
      ) { [weak self] notification in
        let type = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
        let options = notification.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt
        MainActor.assumeIsolated { self?.interrupt(type: type, options: options) }
      })
  }

  private func interrupt(type: UInt?, options: UInt?) {
    guard type == AVAudioSession.InterruptionType.ended.rawValue else { return }
    let mayResume = AVAudioSession.InterruptionOptions(rawValue: options ?? 0)
      .contains(.shouldResume)
    if mayResume {
      Task { await rebuild() }
    } else if source != nil {
      stop()
      ended(nil)
    }
  }
}
