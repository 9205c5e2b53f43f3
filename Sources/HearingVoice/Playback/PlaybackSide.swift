internal import HearingDSP
internal import HearingBuffers

/// The processing on the render thread, in a host with two threads. The render thread computes
/// playback and writes the reference for the capture thread.
struct PlaybackSide: ~Copyable {
  private let playback: Row<PlaybackPath>
  private let board: CallBoard
  private let link: HostLink
  private var farTalk = VoiceState()

  init(_ playback: Row<PlaybackPath>, board: CallBoard, link: HostLink) {
    self.playback = playback
    self.board = board
    self.link = link
  }

  /// Processes one block.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  mutating func process(_ block: CallBlock.PlaybackBlock, frameCount: Int) {
    var done = 0
    while done < frameCount {
      playback[0].ducker.configuration = board.settings.ducking
      let left = playback[0].framesLeft
      let count = min(left, frameCount - done)
      playback[0].process(block, from: done, count: count)
      link.write(playback[0].reference, count: count)
      playback[0].write(block, from: done, count: count)
      done += count
      if count == left { finishFrame() }
    }
    if frameCount > 0 { link.duckingGain = playback[0].duckingGain }
  }

  /// Finishes a frame of 10 ms and updates the ducking of the next frame.
  private mutating func finishFrame() {
    if let decision = playback[0].decision {
      _ = farTalk.add(isVoice: decision.isVoice)
      link.add(isFarVoice: decision.isVoice)
    }
    playback[0].ducker.isSomebodyTalking = farTalk.isTalking || link.isNearTalking
  }

  /// Resets the state of the far voice and the link. `CallKernel` resets the playback.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  mutating func reset() {
    farTalk.reset()
    link.reset()
  }
}
