/// Where a block's sound lies, from its first frame on.
struct CallBlock {
  let microphone: UnsafePointer<Float>
  let farVoice: UnsafePointer<UnsafeMutablePointer<Float>>
  let otherAudio: UnsafePointer<UnsafeMutablePointer<Float>>
  let uplink: UnsafeMutablePointer<Float>
  let playback: UnsafePointer<UnsafeMutablePointer<Float>>
}
