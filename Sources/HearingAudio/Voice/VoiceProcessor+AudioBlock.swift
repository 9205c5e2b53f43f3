internal import HearingDSP
public import HearingVoice

extension VoiceProcessor {
  /// Processes one block. Render side.
  ///
  /// All input blocks have the same number of frames. The output blocks get the same number.
  ///
  /// - Parameters:
  ///   - microphone: One channel.
  ///   - farVoice: The number of channels of the processor's far voice.
  ///   - otherAudio: Two channels.
  ///   - uplink: One channel; receives the sound for the other end.
  ///   - playback: Two channels; receives the sound to play.
  public func process(
    microphone: AudioBlock, farVoice: AudioBlock, otherAudio: AudioBlock, uplink: AudioBlock,
    playback: AudioBlock
  ) {
    let frameCount = microphone.frameCount
    precondition(
      farVoice.frameCount == frameCount && otherAudio.frameCount == frameCount,
      "\(frameCount), \(farVoice.frameCount) and \(otherAudio.frameCount) frames")
    precondition(
      farVoice.channelCount == farChannelCount,
      "a far voice of \(farVoice.channelCount) channels, not \(farChannelCount)")
    precondition(
      otherAudio.channelCount == 2 && playback.channelCount == 2,
      "\(otherAudio.channelCount) and \(playback.channelCount) channels to play, not 2")
    uplink.frameCount = frameCount
    playback.frameCount = frameCount
    withExtendedLifetime((microphone, farVoice, otherAudio, uplink, playback)) {
      unsafe process(
        microphone: microphone.channels[0], farVoice: farVoice.channels,
        otherAudio: otherAudio.channels, uplink: uplink.channels[0], playback: playback.channels,
        frameCount: frameCount)
    }
  }
}
