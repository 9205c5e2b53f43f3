import HearingDSP

extension BandGainProcessor {
  /// The channels after processing, in blocks of the given lengths taken in turn.
  func rendered(_ channels: [[Float]], blocks: [Int] = [4096]) -> [[Float]] {
    var result = channels
    render(&result, blocks: blocks)
    return result
  }

  /// Processes the channels in place.
  func render(_ channels: inout [[Float]], blocks: [Int] = [4096]) {
    let frameCount = channels[0].count
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: frameCount * channels.count + 1)
    defer { memory.deallocate() }
    let starts = channels.indices.map { memory + $0 * frameCount }
    for (channel, samples) in channels.enumerated() {
      starts[channel].initialize(from: samples, count: frameCount)
    }
    var done = 0
    var turn = 0
    while done < frameCount {
      let count = min(blocks[turn % blocks.count], frameCount - done)
      turn += 1
      let pointers = starts.map { $0 + done }
      pointers.withUnsafeBufferPointer { buffer in
        if let base = buffer.baseAddress { process(base, frameCount: count) }
      }
      done += count
    }
    for channel in channels.indices {
      channels[channel] = Array(UnsafeBufferPointer(start: starts[channel], count: frameCount))
    }
  }

  /// The channels after processing as interleaved frames.
  func renderedInterleaved(_ channels: [[Float]], blocks: [Int]) -> [[Float]] {
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
