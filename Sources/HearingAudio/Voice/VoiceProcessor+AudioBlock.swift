internal import HearingDSP
public import HearingVoice

extension VoiceProcessor {
  /// Processes one block. Call this method on the render thread only.
  ///
  /// All input blocks must have the same number of frames. The method sets the frame count of the
  /// output blocks to the frame count of the input blocks.
  ///
  /// - Parameters:
  ///   - microphone: The microphone signal, with one or two channels. Two channels are averaged.
  ///   - farVoice: The voice from the other end of the call, with `farChannelCount` channels.
  ///   - otherAudio: Other audio that is played during the call, with two channels.
  ///   - uplink: Receives the signal for the other end of the call, with one channel.
  ///   - playback: Receives the signal to play, with two channels.
  public func process(
    microphone: AudioBlock, farVoice: AudioBlock, otherAudio: AudioBlock, uplink: AudioBlock,
    playback: AudioBlock
  ) {
    let frameCount = microphone.frameCount
    check(frameCount, farVoice, otherAudio, playback)
    uplink.frameCount = frameCount
    withExtendedLifetime((microphone, farVoice, otherAudio, uplink, playback)) {
      // Unsafe: all blocks are alive during the call, and the numbers of frames and channels are
      // checked.
      switch microphone.channelCount {
      case 2:
        unsafe process(
          stereoMicrophone: microphone.channels, farVoice: farVoice.channels,
          otherAudio: otherAudio.channels, uplink: uplink.channels[0], playback: playback.channels,
          frameCount: frameCount)
      case 1:
        // Unsafe: all blocks are alive during the call, and the numbers of channels are checked.
        unsafe process(
          microphone: microphone.channels[0], farVoice: farVoice.channels,
          otherAudio: otherAudio.channels, uplink: uplink.channels[0], playback: playback.channels,
          frameCount: frameCount)
      case let count: preconditionFailure("a microphone of \(count) channels, not 1 or 2")
      }
    }
  }

  /// Renders one block of playback, for hosts that use separate threads for playback and
  /// microphone. Call this method on the playback thread only.
  ///
  /// - Parameters:
  ///   - farVoice: The voice from the other end of the call, with `farChannelCount` channels.
  ///   - otherAudio: Other audio that is played during the call, with two channels and as many
  ///     frames as `farVoice`.
  ///   - playback: Receives the signal to play, with two channels.
  public func render(farVoice: AudioBlock, otherAudio: AudioBlock, playback: AudioBlock) {
    let frameCount = farVoice.frameCount
    check(frameCount, farVoice, otherAudio, playback)
    withExtendedLifetime((farVoice, otherAudio, playback)) {
      // Unsafe: all blocks are alive during the call, and the numbers of frames and channels are
      // checked.
      unsafe render(
        farVoice: farVoice.channels, otherAudio: otherAudio.channels, playback: playback.channels,
        frameCount: frameCount)
    }
  }

  /// Checks the frame counts and channel counts of the blocks, and sets the frame count of
  /// `playback`.
  private func check(
    _ frameCount: Int, _ farVoice: AudioBlock, _ otherAudio: AudioBlock, _ playback: AudioBlock
  ) {
    precondition(
      farVoice.frameCount == frameCount && otherAudio.frameCount == frameCount,
      "\(frameCount), \(farVoice.frameCount) and \(otherAudio.frameCount) frames")
    farVoice.check(farChannelCount)
    otherAudio.check(2)
    playback.check(2)
    playback.frameCount = frameCount
  }

  /// Processes one block of the microphone signal, for hosts that use separate threads for playback
  /// and microphone. Call this method on the microphone thread only.
  ///
  /// - Parameters:
  ///   - microphone: The microphone signal, with one or two channels. Two channels are averaged.
  ///   - uplink: Receives the signal for the other end of the call, with one channel.
  public func capture(microphone: AudioBlock, uplink: AudioBlock) {
    uplink.frameCount = microphone.frameCount
    withExtendedLifetime((microphone, uplink)) {
      // Unsafe: `microphone` and `uplink` are alive during the call, and `switch` checks the number
      // of microphone channels.
      switch microphone.channelCount {
      case 2:
        unsafe capture(
          stereoMicrophone: microphone.channels, uplink: uplink.channels[0],
          frameCount: microphone.frameCount)
      case 1:
        // Unsafe: all blocks are alive during the call, and the numbers of channels are checked.
        unsafe capture(
          microphone: microphone.channels[0], uplink: uplink.channels[0],
          frameCount: microphone.frameCount)
      case let count: preconditionFailure("a microphone of \(count) channels, not 1 or 2")
      }
    }
  }
}
