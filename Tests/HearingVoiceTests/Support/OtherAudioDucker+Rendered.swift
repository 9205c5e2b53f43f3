import SignalTestSupport
import HearingDSP
import HearingVoice

extension OtherAudioDucker {
  /// The channels after ducking. The lengths of the blocks are the elements of `blocks`, in
  /// repeating order.
  mutating func rendered(_ channels: [[Float]], blocks: [Int] = [4_096]) -> [[Float]] {
    Blocks.rendered(channels, blocks: blocks) { process($0, frameCount: $1) }
  }
}
