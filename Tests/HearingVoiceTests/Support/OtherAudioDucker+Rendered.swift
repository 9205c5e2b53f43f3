import SignalTestSupport
import HearingDSP
import HearingVoice

extension OtherAudioDucker {
  /// The channels after ducking. Block lengths cycle through `blocks`.
  mutating func rendered(_ channels: [[Float]], blocks: [Int] = [4_096]) -> [[Float]] {
    Blocks.rendered(channels, blocks: blocks) { process($0, frameCount: $1) }
  }
}
