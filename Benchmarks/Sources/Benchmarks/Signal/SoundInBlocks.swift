import HearingAudio
import HearingDSP

/// Renders sound block by block, as a host does.
struct SoundInBlocks {
  /// The number of frames that are rendered; a multiple of the block size.
  let frameCount: Int

  private let source: AudioBlock
  private let block: AudioBlock

  init(_ source: AudioBlock, size: Int, maximumFrameCount limit: Int = .max) {
    self.source = source
    block = AudioBlock(channelCount: source.channelCount, capacity: size)
    block.frameCount = size
    frameCount = min(source.frameCount, limit) / size * size
  }

  /// Copies samples into each block and processes the block. If `processor` is nil, only copies.
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
