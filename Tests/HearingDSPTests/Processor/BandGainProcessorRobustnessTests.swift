import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

final class BandGainProcessorRobustnessTests: XCTestCase {
  private let gains = [0.1, 9.1, 14.1, 19.65, 21.2, 20.75, 21.3, 22.85, 24.4, 24.4]

  private func processor(
    channels: Int, ceiling: Double = 105, rate: Double = 48_000
  ) throws -> BandGainProcessor {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: channels),
      layout: XCTUnwrap(BandLayout.audiometric.limited(to: rate)))
    let prescribed = Array(gains.prefix(processor.layout.centers.count))
    try processor.apply(
      ProcessorSettings(
        gains: Array(repeating: prescribed, count: channels), outputCeiling: ceiling,
        allowsOutputAboveFullScale: true))
    return processor
  }

  func test_process_invalidSamplesInOneChannel_affectOnlyThatChannel_andOutputRecovers() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let count = 24_000
    let clean = (0..<3).map { _ in
      Signals.noise(count: count, amplitude: 0.05, using: &generator)
    }
    let expected = try processor(channels: 3).rendered(clean)
    let bound = 2.0.squareRoot() * pow(10, 5.0 / 20)
    let faults: [[Float]] = [
      [.nan], [-.nan], [.signalingNaN], [.infinity], [-.infinity], [1e30], [-1e38],
      Array(repeating: .nan, count: 700), Array(repeating: .infinity, count: 64),
      [.infinity, -.infinity, .nan, 1e30],
    ]
    for channel in Signals.isSanitized ? 1..<2 : 0..<3 {
      for fault in faults {
        var broken = clean
        broken[channel].replaceSubrange(4_000..<4_000 + fault.count, with: fault)
        let output = try processor(channels: 3).rendered(broken, blocks: [64])
        for other in 0..<3 where other != channel {
          XCTAssertEqual(Signals.bits(output[other]), Signals.bits(expected[other]))
        }
        XCTAssertTrue(output[channel].allSatisfy(\.isFinite), "\(fault.prefix(4))")
        XCTAssertLessThanOrEqual(Double(Signals.peak(output[channel])), bound)
        let recovered = 4_000 + fault.count + 4_800
        for index in recovered..<count {
          XCTAssertEqual(output[channel][index], expected[channel][index], accuracy: 1e-3)
        }
      }
    }
  }

  func test_process_onlyInvalidSamples_outputsSilence() throws {
    for value in [Float.nan, .infinity, 1e30] {
      let processor = try processor(channels: 1)
      let output = processor.rendered([Array(repeating: value, count: 5_000)])[0]
      XCTAssertEqual(Signals.peak(output), 0)
      XCTAssertEqual(processor.levels.channels[0].inputPeak, 0)
    }
  }

  func test_process_invalidSamplesWhileFading_staysFiniteAndBelowTheCeiling() throws {
    let processor = try processor(channels: 1)
    let flat = Array(repeating: 0.0, count: 10)
    try processor.apply(ProcessorSettings(gains: [flat], isEnabled: false))
    _ = processor.rendered([Signals.silence(1_000)])
    try processor.apply(ProcessorSettings(gains: [gains], outputCeiling: 90))
    _ = processor.rendered([Signals.silence(32)])
    var input = Signals.square(300, rate: 48_000, count: 480, amplitude: 3)
    input[100] = .nan
    input[200] = .infinity
    let output = processor.rendered([input])[0]
    XCTAssertTrue(output.allSatisfy(\.isFinite))
    XCTAssertLessThanOrEqual(
      Double(Signals.peak(output)), 2.0.squareRoot() * pow(10, (90.0 - 100) / 20))
  }

  func test_process_silenceAfterSound_becomesDigitalSilenceWithinASecond() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let rates: [Double] = Signals.isSanitized ? [8_000] : [8_000, 48_000, 192_000]
    for rate in rates {
      let processor = try processor(channels: 2, rate: rate)
      for _ in 0..<(Signals.isSanitized ? 1 : 20) {
        let gains = (0..<2).map { _ in
          Signals.hearingLikeGains(centers: processor.layout.centers, using: &generator)
        }
        try processor.apply(
          ProcessorSettings(gains: gains, outputCeiling: 120, allowsOutputAboveFullScale: true))
        let noise = (0..<2).map { _ in
          Signals.noise(count: Int(rate / 4), amplitude: 0.5, using: &generator)
        }
        _ = processor.rendered(noise)
        let silence = Signals.silence(Int(rate))
        _ = processor.rendered([silence, silence])
        let rest = processor.rendered([silence, silence])
        for channel in 0..<2 {
          XCTAssertEqual(Signals.peak(rest[channel]), 0, "\(rate), \(gains[channel])")
        }
      }
    }
  }

  func test_process_extremeSettings_staysFinite() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let crowded = try BandLayout(centers: (0..<32).map { 1_000 + Double($0) })
    for layout in [BandLayout.audiometric, .thirdOctave, crowded] {
      let processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1), layout: layout)
      for _ in 0..<(Signals.isSanitized ? 3 : 30) {
        let jagged = layout.centers.map { _ in
          Bool.random(using: &generator) ? 80.0 : -80.0
        }
        try processor.apply(
          ProcessorSettings(gains: [jagged], outputCeiling: 110, allowsOutputAboveFullScale: true))
        let noise = Signals.noise(count: 2_000, amplitude: 1, using: &generator)
        let output = processor.rendered([noise], blocks: [1, 64])[0]
        XCTAssertTrue(output.allSatisfy(\.isFinite))
        XCTAssertLessThanOrEqual(
          Double(Signals.peak(output)), 2.0.squareRoot() * pow(10, 10.0 / 20))
      }
    }
  }

  func test_reset_clearsSoundAndKeepsSettings() throws {
    var generator = SeededGenerator(seed: 8)
    let noise = Signals.noise(count: 3_000, amplitude: 0.5, using: &generator)
    let processor = try processor(channels: 1, ceiling: 90)
    let first = processor.rendered([noise])[0]
    _ = processor.rendered([Signals.square(100, rate: 48_000, count: 1_000, amplitude: 10)])
    processor.reset()
    XCTAssertEqual(Signals.bits(processor.rendered([noise])[0]), Signals.bits(first))
    processor.reset()
    XCTAssertEqual(Signals.peak(processor.rendered([Signals.silence(500)])[0]), 0)
  }

  /// The filter states of a silent channel are cleared only when they are below −160 dB.
  func test_process_impulseInANarrowBand_ringsDownToMinus160dB() throws {
    let layout = try BandLayout(centers: [240, 250, 260, 1_000])
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1), layout: layout)
    try processor.apply(ProcessorSettings(gains: [[0, 20, 0, 0]]))
    var impulse = Signals.silence(96_000)
    impulse[0] = 1e-3
    let output = processor.rendered([impulse])[0]
    let peaks = stride(from: 0, to: 96_000, by: 256).map {
      Signals.peak(output[$0..<min($0 + 256, 96_000)])
    }
    let last = try XCTUnwrap(peaks.last { $0 > 0 })
    XCTAssertLessThan(last, 1e-8)
    XCTAssertGreaterThan(last, 1e-10)
  }
}
