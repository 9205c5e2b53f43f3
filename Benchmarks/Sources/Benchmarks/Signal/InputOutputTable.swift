import Foundation
import HearingDSP

/// Prints measured input–output curves of a compressing processor for steady tones at four band
/// centres.
enum InputOutputTable {
  static func print() throws {
    let curve = try RenderedChain.curve
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
    try processor.apply(
      ProcessorSettings(
        curves: [Array(repeating: curve, count: processor.layout.centers.count)],
        outputCeiling: 150))
    Swift.print("Input–output, 3:1 from 40 to 105 dB SPL with expansion below: dB SPL out")
    var table = Table("in", "curve", "500 Hz", "1000 Hz", "2000 Hz", "4000 Hz")
    for level in stride(from: 30.0, through: 100, by: 10) {
      let measured = [500.0, 1_000, 2_000, 4_000].map { output(processor, $0, level).digits(2) }
      table.add(
        level.digits(0), (level + curve.gain(at: level)).digits(2), measured[0], measured[1],
        measured[2], measured[3])
    }
    table.print()
  }

  /// The output level of a tone in dB SPL. It is measured over the last 0.1 s, which is a whole
  /// number of periods.
  private static func output(
    _ processor: BandGainProcessor, _ frequency: Double, _ level: Double
  ) -> Double {
    processor.reset()
    let amplitude = 2.0.squareRoot() * pow(10, (level - 100) / 20)
    var samples = (0..<48_000).map {
      Float(amplitude * sin(2 * .pi * frequency * Double($0) / 48_000))
    }
    samples.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      processor.processInterleaved(base, frameCount: buffer.count)
    }
    let power = samples.suffix(4_800).reduce(0.0) { $0 + Double($1) * Double($1) } / 4_800
    return 100 + 10 * log10(power)
  }
}
