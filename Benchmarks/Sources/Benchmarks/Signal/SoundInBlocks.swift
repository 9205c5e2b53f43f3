import HearingAudio
import HearingDSP

/// Sound that is rendered block by block, as a host would.
struct SoundInBlocks {
  /// Whole blocks only.
  let frameCount: Int

  private let source: AudioBlock
  private let block: AudioBlock

  init(_ source: AudioBlock, size: Int, atMost most: Int = .max) {
    self.source = source
    block = AudioBlock(channelCount: source.channelCount, capacity: size)
    block.frameCount = size
    frameCount = min(source.frameCount, most) / size * size
  }

  /// Fills each block, which stands for the host, and has it processed if there is a processor.
  func render(_ processor: BandGainProcessor?) {
    var position = 0
    while position < frameCount {
      for channel in 0..<source.channelCount {
        block.channels[channel].update(
          from: source.channels[channel] + position, count: block.frameCount)
      }
      processor?.process(block)
      position += block.frameCount
    }
  }
}
