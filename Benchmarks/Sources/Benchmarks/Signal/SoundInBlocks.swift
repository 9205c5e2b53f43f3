import HearingAudio
import HearingDSP

/// Renders sound block by block, like a host.
struct SoundInBlocks {
  /// The number of frames in whole blocks.
  let frameCount: Int

  private let source: AudioBlock
  private let block: AudioBlock

  init(_ source: AudioBlock, size: Int, maximumFrameCount limit: Int = .max) {
    self.source = source
    block = AudioBlock(channelCount: source.channelCount, capacity: size)
    block.frameCount = size
    frameCount = min(source.frameCount, limit) / size * size
  }

  /// Fills each block and processes it; without a processor, only fills it.
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
