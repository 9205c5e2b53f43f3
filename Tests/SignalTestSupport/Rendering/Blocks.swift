/// Processes a copy of channels block by block.
package enum Blocks {
  /// Copies the channels and calls `process` for one block after another. `process` changes the
  /// samples of the copy. The lengths of the blocks are the elements of `blocks`, in repeating
  /// order.
  package static func rendered(
    _ channels: [[Float]], blocks: [Int] = [4_096],
    _ process: (UnsafePointer<UnsafeMutablePointer<Float>>, Int) -> Void
  ) -> [[Float]] {
    let frameCount = channels[0].count
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: frameCount * channels.count + 1)
    defer { memory.deallocate() }
    let starts = channels.indices.map { memory + $0 * frameCount }
    for (channel, samples) in channels.enumerated() {
      starts[channel].initialize(from: samples, count: frameCount)
    }
    var done = 0
    var turn = 0
    repeat {
      let count = min(blocks[turn % blocks.count], frameCount - done)
      turn += 1
      let pointers = starts.map { $0 + done }
      pointers.withUnsafeBufferPointer { buffer in
        if let base = buffer.baseAddress { process(base, count) }
      }
      done += count
    } while done < frameCount
    return starts.map { Array(UnsafeBufferPointer(start: $0, count: frameCount)) }
  }
}
