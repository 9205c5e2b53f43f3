public import HearingVoice

extension VoiceProcessor {
  /// Processes one block of the microphone signal and one block of the playback signal. Call this
  /// method on the render thread only.
  ///
  /// The blocks `microphone`, `farVoice` and `otherAudio` must have the same number of frames. The
  /// method sets the frame count of `uplink` and `playback` to this number.
  ///
  /// - Parameters:
  ///   - microphone: The microphone signal. The block has one or two channels. If the block has two
  ///     channels, the mean of the two channels is processed.
  ///   - farVoice: The voice from the other end of the call. The block has `farChannelCount`
  ///     channels.
  ///   - otherAudio: Other audio that is played during the call, for example music. The block has
  ///     two channels.
  ///   - uplink: A block with one channel. The method writes the signal for the other end of the
  ///     call to this block.
  ///   - playback: A block with two channels. The method writes the signal to play to this block.
  public func process(
    microphone: AudioBlock, farVoice: AudioBlock, otherAudio: AudioBlock, uplink: AudioBlock,
    playback: AudioBlock
  ) {
    let frameCount = microphone.frameCount
    check(frameCount, farVoice, otherAudio, playback)
    uplink.frameCount = frameCount
    withExtendedLifetime((microphone, farVoice, otherAudio, uplink, playback)) {
      // Unsafe: `withExtendedLifetime` keeps the blocks alive, and `check` has checked the numbers
      // of frames and channels.
      switch microphone.channelCount {
      case 2:
        unsafe process(
          stereoMicrophone: microphone.channels, farVoice: farVoice.channels,
          otherAudio: otherAudio.channels, uplink: uplink.channels[0], playback: playback.channels,
          frameCount: frameCount)
      case 1:
        // Unsafe: `withExtendedLifetime` keeps the blocks alive, and `switch` has checked the
        // number of microphone channels.
        unsafe process(
          microphone: microphone.channels[0], farVoice: farVoice.channels,
          otherAudio: otherAudio.channels, uplink: uplink.channels[0], playback: playback.channels,
          frameCount: frameCount)
      case let count: preconditionFailure("a microphone of \(count) channels, not 1 or 2")
      }
    }
  }

  /// Renders one block of the playback signal. Use this method if the host has separate threads for
  /// playback and microphone. Call this method on the playback thread only.
  ///
  /// - Parameters:
  ///   - farVoice: The voice from the other end of the call. The block has `farChannelCount`
  ///     channels.
  ///   - otherAudio: Other audio that is played during the call, for example music. The block has
  ///     two channels and as many frames as `farVoice`.
  ///   - playback: A block with two channels. The method writes the signal to play to this block.
  public func render(farVoice: AudioBlock, otherAudio: AudioBlock, playback: AudioBlock) {
    let frameCount = farVoice.frameCount
    check(frameCount, farVoice, otherAudio, playback)
    withExtendedLifetime((farVoice, otherAudio, playback)) {
      // Unsafe: `withExtendedLifetime` keeps the blocks alive, and `check` has checked the numbers
      // of frames and channels.
      unsafe render(
        farVoice: farVoice.channels, otherAudio: otherAudio.channels, playback: playback.channels,
        frameCount: frameCount)
    }
  }

  /// Checks the frame counts and channel counts of the blocks. Sets the frame count of `playback`
  /// to `frameCount`.
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

  /// Processes one block of the microphone signal. Use this method if the host has separate threads
  /// for playback and microphone. Call this method on the microphone thread only.
  ///
  /// - Parameters:
  ///   - microphone: The microphone signal. The block has one or two channels. If the block has two
  ///     channels, the mean of the two channels is processed.
  ///   - uplink: A block with one channel. The method writes the signal for the other end of the
  ///     call to this block.
  public func capture(microphone: AudioBlock, uplink: AudioBlock) {
    uplink.frameCount = microphone.frameCount
    withExtendedLifetime((microphone, uplink)) {
      // Unsafe: `withExtendedLifetime` keeps both blocks alive, and `switch` has checked the number
      // of microphone channels.
      switch microphone.channelCount {
      case 2:
        unsafe capture(
          stereoMicrophone: microphone.channels, uplink: uplink.channels[0],
          frameCount: microphone.frameCount)
      case 1:
        // Unsafe: `withExtendedLifetime` keeps the blocks alive, and `switch` has checked the
        // number of microphone channels.
        unsafe capture(
          microphone: microphone.channels[0], uplink: uplink.channels[0],
          frameCount: microphone.frameCount)
      case let count: preconditionFailure("a microphone of \(count) channels, not 1 or 2")
      }
    }
  }
}
