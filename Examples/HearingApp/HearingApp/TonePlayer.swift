import AVFAudio
import HearingAudiometry
import HearingFitting

/// Plays the sounds of a hearing test on headphones, one at a time.
@MainActor
final class TonePlayer {
  private let engine = AVAudioEngine()
  private let player = AVAudioPlayerNode()
  private let format: AVAudioFormat

  /// The sample rate of the sounds in Hz.
  static let sampleRate = 48_000.0

  /// The time in seconds from scheduling a sample until the listener hears it.
  var latency: Double {
    let session = AVAudioSession.sharedInstance()
    return session.outputLatency + session.ioBufferDuration
  }

  /// Starts the audio engine.
  init() throws {
    guard let format = AVAudioFormat(standardFormatWithSampleRate: Self.sampleRate, channels: 2)
    else { throw AudioChain.Problem.noStereo }
    self.format = format
    try AVAudioSession.sharedInstance().setCategory(.playback, mode: .measurement)
    try AVAudioSession.sharedInstance().setActive(true)
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: format)
    try engine.start()
    player.play()
  }

  /// Throws an error if the engine has stopped, for example because of a phone call or a new
  /// output. A tone that was not played must not count as a tone that was not heard.
  func checkIsRunning() throws {
    guard engine.isRunning else { throw AudioChain.Problem.outputChanged }
  }

  /// Starts the playback of a sound.
  func play(_ sound: PresentationSound) throws {
    try checkIsRunning()
    guard
      let buffer = AVAudioPCMBuffer(
        pcmFormat: format, frameCapacity: AVAudioFrameCount(sound.count)),
      let channels = buffer.floatChannelData
    else { return }
    channels[0].update(from: sound[.left], count: sound.count)
    channels[1].update(from: sound[.right], count: sound.count)
    buffer.frameLength = buffer.frameCapacity
    player.scheduleBuffer(buffer, completionHandler: nil)
  }

  /// Stops the playback and the audio engine.
  func stop() {
    player.stop()
    engine.stop()
  }
}
