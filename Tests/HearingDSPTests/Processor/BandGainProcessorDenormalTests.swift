import HearingDSP
import RealTimeProbe
import SignalTestSupport
import TestSupport
import XCTest

/// Tests that no operation underflows. The CPU sets its underflow flag if the result of an
/// operation is inexact and denormal.
final class BandGainProcessorDenormalTests: XCTestCase {
  private let count = 48_000
  private let seed: UInt64 = 31

  /// Test signals that end, decay, or are so quiet that filter states can become denormal.
  private func sounds() -> [(name: String, samples: [Float], allowedBlocks: Int)] {
    var generator = SeededGenerator(seed: seed)
    let noise = Signals.noise(count: count, using: &generator)
    func shaped(_ gain: (Int) -> Float) -> [Float] {
      noise.indices.map { noise[$0] * gain($0) }
    }
    var sounds = (0..<24).map { index -> (String, [Float], Int) in
      let end = Int.random(in: 1_000...20_000, using: &generator)
      return ("noise that ends at \(end)", shaped { $0 < end ? 0.3 : 0 }, 0)
    }
    sounds += [
      ("gated noise", shaped { $0 / 9_000 % 2 == 0 ? 0.3 : 0 }, 0),
      ("impulses", (0..<count).map { $0 % 14_400 == 0 ? 1 : 0 }, 0),
      ("decay", shaped { Float(exp(-Double($0) / 700)) }, 0),
      ("−380 dBFS", shaped { _ in 1e-19 }, 0),
      ("−200 dBFS", shaped { _ in 1e-10 }, 0),
      ("silence", Signals.silence(count), 0),
      // If the input of a resonator becomes constant, its states decay. Once during this decay,
      // they pass through the range of denormal numbers.
      ("steps", (0..<count).map { $0 / 20_000 % 2 == 0 ? 0.5 : -0.25 }, 3),
      ("steps to 0", (0..<count).map { $0 / 20_000 % 2 == 0 ? 0.5 : 0 }, 3),
    ]
    return sounds.map { (name: $0.0, samples: $0.1, allowedBlocks: $0.2) }
  }

  private func processor(
    lookAhead: Double = 0, isCompressing: Bool = false, headphone: HeadphoneCorrection? = nil
  ) throws -> BandGainProcessor {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2),
      limiter: LimiterConfiguration(lookAhead: lookAhead, isTruePeak: lookAhead > 0))
    let curves = try (0..<10).map { band in
      isCompressing
        ? try BandCurve(points: [
          .init(level: 20, gain: 17), .init(level: 40, gain: 37 - Double(band)),
          .init(level: 105, gain: -6.5),
        ]) : .gain(3 * Double(band))
    }
    var settings = ProcessorSettings(curves: [curves, curves])
    settings.headphone = headphone
    try processor.apply(settings)
    return processor
  }

  func test_process_decayingOrQuietSound_doesNotUnderflow_andEndsInSilence() throws {
    try XCTSkipUnless(real_time_probe_sees_underflow(), "needs the flags of an x86-64 processor")
    try XCTSkipIf(Signals.isSanitized, "long signals take too long with a sanitizer")
    let headphone = try HeadphoneCorrection(sections: [
      .init(.lowShelf, frequency: 105, gain: 5.5, quality: 0.7),
      .init(.peak, frequency: 2_900, gain: -3.1, quality: 1.8),
      .init(.highShelf, frequency: 9_000, gain: 4, quality: 0.7),
    ])
    let chains: [(String, () throws -> BandGainProcessor)] = [
      ("linear", { try self.processor() }),
      ("compressing", { try self.processor(isCompressing: true) }),
      ("headphone", { try self.processor(headphone: headphone) }),
      ("look-ahead", { try self.processor(lookAhead: 0.002) }),
    ]
    let sounds = sounds()
    for (chain, build) in chains {
      for sound in sounds {
        let processor = try build()
        var frames = [Float](repeating: 0, count: 128)
        var underflows = 0
        var lastSound = 0
        for start in stride(from: 0, to: count, by: 64) {
          for index in 0..<64 {
            frames[2 * index] = sound.samples[start + index]
            frames[2 * index + 1] = -0.5 * sound.samples[start + index]
          }
          frames.withUnsafeMutableBufferPointer { buffer in
            real_time_probe_clear_underflow()
            processor.processInterleaved(buffer.baseAddress!, frameCount: 64)
            if real_time_probe_has_underflowed() { underflows += 1 }
          }
          if frames.contains(where: { $0 != 0 }) { lastSound = start }
        }
        let message = "\(chain), \(sound.name), seed \(seed)"
        XCTAssertLessThanOrEqual(underflows, sound.allowedBlocks, message)
        if let end = sound.samples.lastIndex(where: { abs($0) > 1e-12 }), end < count - 9_600 {
          XCTAssertLessThan(lastSound, end + 9_600, message)
        }
      }
    }
  }
}
