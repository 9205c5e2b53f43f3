import HearingDSP

/// Renders a stream that starts at frame `start`, with compression, gain changes, a fade and
/// rejected samples. This file is compiled for WebAssembly, where an `Int` has 32 bits.
///
/// - Returns: A hash of the samples and of the frame numbers of the events, relative to `start`.
///   The result is −1 if a processor or its settings cannot be created.
@_expose(wasm, "render_from") @c(render_from)
func renderFrom(_ start: Int64) -> Int64 {
  var digest = Digest()
  do throws(BandGainProcessorError) {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2),
      limiter: LimiterConfiguration(lookAhead: 0.002))
    processor.renderer.position = start
    let frames = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 137)
    defer { frames.deallocate() }
    var state: UInt32 = 29
    for block in 0..<60 {
      if block % 8 == 0 {
        try processor.apply(settings(round: block / 8))
      }
      for index in 0..<2 * 137 {
        state = state &* 1_664_525 &+ 1_013_904_223
        frames[index] = block == 20 ? .nan : Float(Int32(bitPattern: state)) * 0x1p-33
      }
      processor.processInterleaved(frames, frameCount: block % 3 == 0 ? 1 : 137)
      for index in 0..<2 * 137 where !frames[index].isNaN { digest.add(frames[index].bitPattern) }
    }
    guard processor.renderer.position == start + 20 + 40 * 137 else { return -1 }
    for event in processor.events.drain() {
      digest.add(UInt32(truncatingIfNeeded: event.frame &- start))
    }
  } catch {
    return -1
  }
  return Int64(digest.value)
}

private func settings(round: Int) -> ProcessorSettings {
  let gain = Double(3 * round)
  var settings = ProcessorSettings(
    gains: [[Double]](repeating: [Double](repeating: gain, count: 10), count: 2),
    isEnabled: round != 5)
  let points = [
    BandCurve.Point(level: 40, gain: gain + 20), BandCurve.Point(level: 90, gain: gain),
  ]
  guard round % 4 < 2, let curve = try? BandCurve(points: points) else { return settings }
  settings.curves = [[BandCurve]](
    repeating: [BandCurve](repeating: curve, count: 10), count: 2)
  return settings
}

/// Computes an FNV-1a hash over 32-bit words.
private struct Digest {
  var value: UInt32 = 2_166_136_261

  mutating func add(_ word: UInt32) {
    value = (value ^ word) &* 16_777_619
  }
}
