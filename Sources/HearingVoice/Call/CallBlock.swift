internal import HearingDSP

/// The buffers of one block of a call, from its first frame on.
struct CallBlock {
  let microphone: UnsafePointer<Float>
  let uplink: UnsafeMutablePointer<Float>
  let playback: PlaybackBlock

  /// The buffers of one block of playback, from its first frame on.
  struct PlaybackBlock {
    let farVoice: UnsafePointer<UnsafeMutablePointer<Float>>
    let otherAudio: UnsafePointer<UnsafeMutablePointer<Float>>
    /// Receives the sound to play.
    let target: UnsafePointer<UnsafeMutablePointer<Float>>
  }
}

extension CallBlock {
  /// The greatest valid magnitude: 24 dB above full scale.
  private static var greatestSample: Float {
    @_noLocks @_noAllocation @inline(__always) get { 16 }
  }

  /// Copies input samples; invalid ones become 0.
  @_noLocks @_noAllocation
  static func receive(
    _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int
  ) {
    SampleOperations.copy(
      source, to: target, count: count, least: SampleOperations.trace, most: greatestSample)
  }

  /// Copies output samples.
  @_noLocks @_noAllocation
  static func copy(
    _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int
  ) {
    for index in 0..<count { target[index] = source[index] }
  }
}
