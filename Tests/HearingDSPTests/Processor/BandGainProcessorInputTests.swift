import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

/// Tests unusual input from a host: unusual block lengths, and samples that are not valid audio.
final class BandGainProcessorInputTests: XCTestCase {
  private func processor(channels: Int) throws -> BandGainProcessor {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: channels))
    let gains = (0..<10).map { Double($0) }
    try processor.apply(ProcessorSettings(gains: Array(repeating: gains, count: channels)))
    return processor
  }

  func test_process_withSpans_equalsProcessWithPointers() throws {
    var generator = SeededGenerator(seed: 1)
    let left = Signals.noise(count: 480, using: &generator)
    let right = Signals.noise(count: 480, using: &generator)
    let expected = try processor(channels: 2).rendered([left, right])

    var (first, second) = (left, right)
    var one = first.mutableSpan
    var other = second.mutableSpan
    try processor(channels: 2).process(&one, &other)
    XCTAssertEqual(Signals.bits(first), Signals.bits(expected[0]))
    XCTAssertEqual(Signals.bits(second), Signals.bits(expected[1]))

    func interleaved(_ channels: [[Float]]) -> [Float] {
      (0..<960).map { index -> Float in channels[index % 2][index / 2] }
    }
    var frames = interleaved([left, right])
    var span = frames.mutableSpan
    try processor(channels: 2).processInterleaved(&span)
    XCTAssertEqual(Signals.bits(frames), Signals.bits(interleaved(expected)))

    var mono = left
    var monoSpan = mono.mutableSpan
    try processor(channels: 1).process(&monoSpan)
    XCTAssertEqual(Signals.bits(mono), Signals.bits(try processor(channels: 1).rendered([left])[0]))

    var empty: [Float] = []
    var emptySpan = empty.mutableSpan
    try processor(channels: 1).process(&emptySpan)
  }

  func test_process_unscaledIntegerSamples_areCountedAndReportedOncePerSecond() throws {
    let processor = try processor(channels: 2)
    let speech = Signals.sine(440, rate: 48_000, count: 48_000 * 2, amplitude: 8_000)
    _ = processor.rendered([speech, Signals.silence(speech.count)], blocks: [480])
    XCTAssertTrue(processor.events.drain().isEmpty, "half of the samples are good")
    _ = processor.rendered([speech, speech], blocks: [480])
    let events = processor.events.drain()
    XCTAssertEqual(events.map(\.kind), [.inputRejected, .inputRejected])
    XCTAssertEqual(events.first?.frame, 96_000)
    XCTAssertGreaterThan(try XCTUnwrap(events.first).value, 0.9)
    let rejected = speech.count { abs($0) > 140 }
    let counts = processor.levels.channels.map(\.rejectedSampleCount)
    XCTAssertEqual(counts[0], UInt64(2 * rejected))
    XCTAssertEqual(counts[1], UInt64(rejected))
    processor.reset()
    _ = processor.rendered([Signals.silence(10), Signals.silence(10)])
    XCTAssertEqual(processor.levels.channels[0].rejectedSampleCount, 0)
  }

  func test_process_soundUpToAnAmplitudeOf15_isNotRejected() throws {
    let processor = try processor(channels: 1)
    for amplitude in [1e-6, 0.1, 1, 15] {
      _ = processor.rendered([
        Signals.sine(440, rate: 48_000, count: 4_800, amplitude: amplitude)
      ])
    }
    XCTAssertEqual(processor.levels.channels[0].rejectedSampleCount, 0)
    XCTAssertTrue(processor.events.drain().isEmpty)
  }

  /// A sample is valid up to a maximum. This maximum is the largest of three values: 16, the peak
  /// of a sine of 140 dB SPL, and the ceiling.
  func test_process_samplesUpToTheLimit_areAccepted_andTheNextLargerOnesAreSilenced() throws {
    for (fullScale, ceiling, limit) in [
      (100.0, 100.0, Float(2.0.squareRoot() * 100)), (130, 100, 16), (100, 150, nil),
    ] {
      let calibration = Calibration(fullScaleSPL: fullScale)
      let limit = limit ?? Float(calibration.peakAmplitude(ofSineAt: ceiling)).nextDown
      for (magnitude, rejected) in [(limit, 0), (limit.nextUp, 1)] as [(Float, UInt64)] {
        for sample in [magnitude, -magnitude] {
          let processor = try BandGainProcessor(
            spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
          let flat = Array(repeating: 0.0, count: 10)
          try processor.apply(
            ProcessorSettings(
              gains: [flat], outputCeiling: ceiling, allowsOutputAboveFullScale: true,
              calibration: calibration))
          let output = processor.rendered([[0, sample, 0]])[0]
          XCTAssertEqual(
            processor.levels.channels[0].rejectedSampleCount, rejected,
            "\(sample), \(fullScale) dB SPL, ceiling \(ceiling)")
          XCTAssertEqual(output[1] == 0, rejected == 1, "\(output)")
        }
      }
    }
  }

  func test_levels_afterAToneEnds_fallWithTheSmoothingTimeConstant() throws {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
    let curve = try BandCurve(
      points: [.init(level: -100, gain: 0), .init(level: 100, gain: 1)], attackTime: 0,
      releaseTime: 0)
    try processor.apply(ProcessorSettings(curves: [Array(repeating: curve, count: 10)]))
    _ = processor.rendered([Signals.tone(8_000, level: 80, rate: 48_000, seconds: 0.4)])
    XCTAssertEqual(try XCTUnwrap(processor.levels.channels[0].inputLevels)[9], 80, accuracy: 0.1)
    // The time constant is 1 ms. Therefore the level falls by 4.34 dB per ms. The silence lasts 5.3
    // ms.
    _ = processor.rendered([Signals.silence(256)])
    let level = try XCTUnwrap(processor.levels.channels[0].inputLevels)[9]
    print("5.3 ms after a tone of 80 dB SPL: \(level) dB SPL")
    XCTAssertEqual(level, 80 - 4.343 * 5.333, accuracy: 2)
  }

  func test_defaultSettings_centredVoiceWithDrumsOnOneSide_staysCentred() throws {
    let rate = 48_000.0
    let processor = try BandGainProcessor(spec: ProcessingSpec(sampleRate: rate, channelCount: 2))
    let curves = (0..<2).map { _ in
      (0..<10).map { _ in try? Curves.compressing(ratio: 3, gainAt65: 25) }.compactMap { $0 }
    }
    try processor.apply(ProcessorSettings(curves: curves, outputCeiling: 95))
    let voice = Signals.tone(1_000, level: 65, rate: rate, seconds: 2)
    var generator = SeededGenerator(seed: 8)
    let drums = (0..<voice.count).map { index -> Float in
      let time = (Double(index) / rate).truncatingRemainder(dividingBy: 0.25)
      return Float(exp(-time * 40)) * Float.random(in: -0.6...0.6, using: &generator)
    }
    let output = processor.rendered([zip(voice, drums).map(+), voice])
    // Only the left channel contains the drums, but both channels have the same gains.
    let levels = (0..<2).map {
      Signals.level(ofToneAt: 1_000, in: output[$0][24_000...], rate: rate)
    }
    print("a centred voice under drums on the left: \(levels[0] - levels[1]) dB off the centre")
    XCTAssertEqual(levels[0], levels[1], accuracy: 1)
    XCTAssertGreaterThan(processor.levels.channels[0].limitedFrameCount, 1_000)
  }

  func test_process_exactlyHalfOfTheSamplesRejected_isNotReported() throws {
    let processor = try processor(channels: 2)
    let broken = [Float](repeating: .nan, count: 480)
    _ = processor.rendered([broken, Signals.silence(480)], blocks: [480])
    XCTAssertTrue(processor.events.drain().isEmpty)
  }

  func test_reset_afterARejectionReport_reportsAgainFromTheFirstFrame() throws {
    let processor = try processor(channels: 1)
    let broken = [Float](repeating: .nan, count: 480)
    _ = processor.rendered([broken + broken], blocks: [480])
    XCTAssertEqual(processor.events.drain().map(\.frame), [0])
    processor.reset()
    _ = processor.rendered([broken], blocks: [480])
    XCTAssertEqual(processor.events.drain().map(\.frame), [0])
  }
}
