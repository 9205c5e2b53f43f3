package import HearingDSP

extension BandGainProcessor {
  /// The channels after processing. The lengths of the blocks are the elements of `blocks`, in
  /// repeating order.
  package func rendered(_ channels: [[Float]], blocks: [Int] = [4096]) -> [[Float]] {
    var result = channels
    render(&result, blocks: blocks)
    return result
  }

  /// Processes the channels and overwrites them.
  package func render(_ channels: inout [[Float]], blocks: [Int] = [4096]) {
    channels = Blocks.rendered(channels, blocks: blocks) { process($0, frameCount: $1) }
  }

  /// The channels after processing. The processor gets the samples as interleaved frames.
  package func renderedInterleaved(_ channels: [[Float]], blocks: [Int]) -> [[Float]] {
    let channelCount = channels.count
    let frameCount = channels[0].count
    var frames = (0..<frameCount * channelCount).map {
      channels[$0 % channelCount][$0 / channelCount]
    }
    frames.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      var done = 0
      var turn = 0
      while done < frameCount {
        let count = min(blocks[turn % blocks.count], frameCount - done)
        turn += 1
        processInterleaved(base + done * channelCount, frameCount: count)
        done += count
      }
    }
    return (0..<channelCount).map { channel in
      (0..<frameCount).map { frames[$0 * channelCount + channel] }
    }
  }
}
