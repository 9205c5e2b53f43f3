import SignalTestSupport
import HearingDSP
import HearingVoice

extension OtherAudioDucker {
  /// The channels after ducking, in blocks of the given lengths taken in turn.
  mutating func rendered(_ channels: [[Float]], blocks: [Int] = [4_096]) -> [[Float]] {
    Blocks.rendered(channels, blocks: blocks) { process($0, frameCount: $1) }
  }
}
