/// Walks over a block of sound in smaller blocks of one size.
final class BlockSplitter {
  private let blockSize: Int
  private let channelCount: Int
  private let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  init(blockSize: Int, channelCount: Int) {
    self.blockSize = blockSize
    self.channelCount = channelCount
    pointers = .allocate(capacity: channelCount)
  }

  deinit {
    pointers.deallocate()
  }

  /// Calls `body` for every `blockSize` frames of `block`, in order; the last may be shorter.
  func forEachBlock(
    of block: AudioBlock,
    _ body: (UnsafePointer<UnsafeMutablePointer<Float>>, Int) throws -> Void
  ) rethrows {
    var start = 0
    while start < block.frameCount {
      for channel in 0..<channelCount {
        (pointers + channel).initialize(to: block.channels[channel] + start)
      }
      let count = min(blockSize, block.frameCount - start)
      try body(UnsafePointer(pointers), count)
      start += count
    }
  }
}
