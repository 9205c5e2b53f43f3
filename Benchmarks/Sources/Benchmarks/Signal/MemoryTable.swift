import AllocationCount
import HearingDSP

/// Prints the memory of compressing processors for several numbers of bands and channels.
enum MemoryTable {
  static func print() throws {
    Swift.print("Memory of a compressing processor at 48 kHz, after rendering: bytes")
    var table = Table("bands", "channels", "at most", "no look-ahead", "2 ms, linked", "10 ms")
    let limiters = [
      LimiterConfiguration(), LimiterConfiguration(lookAhead: 0.002, isLinked: true),
      LimiterConfiguration(lookAhead: 0.01),
    ]
    for bands in [10, 32] {
      for channels in [2, 8] {
        let sizes = try limiters.map { "\(try bytes(bands: bands, channels: channels, $0))" }
        table.add(
          "\(bands)", "\(channels)", bands == 10 && channels == 2 ? "65536" : "–", sizes[0],
          sizes[1], sizes[2])
      }
    }
    table.print()
  }

  private static func bytes(
    bands: Int, channels: Int, _ limiter: LimiterConfiguration
  ) throws -> Int64 {
    var frames = [Float](repeating: 0.1, count: 64 * channels)
    let before = allocated_bytes()
    let processor = try RenderedChain.compression.processor(
      bands: bands, channels: channels, sampleRate: 48_000, limiter: limiter)
    // Settings are applied several times, so that every settings buffer is in use.
    for _ in 0..<4 {
      try processor.apply(
        RenderedChain.compression.settings(layout: processor.layout, channels: channels))
      frames.withUnsafeMutableBufferPointer { buffer in
        if let base = buffer.baseAddress { processor.processInterleaved(base, frameCount: 64) }
      }
    }
    let bytes = allocated_bytes() - before
    keep(processor)
    return bytes
  }
}
