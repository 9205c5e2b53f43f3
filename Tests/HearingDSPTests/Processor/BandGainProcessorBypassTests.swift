import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

final class BandGainProcessorBypassTests: XCTestCase {
  private let gains = [0.1, 9.1, 14.1, 19.65, 21.2, 20.75, 21.3, 22.85, 24.4, 24.4]

  private func processor(channels: Int = 2) throws -> BandGainProcessor {
    try BandGainProcessor(spec: ProcessingSpec(sampleRate: 48_000, channelCount: channels))
  }

  /// Noise in which every special floating-point value occurs, such as NaN and infinity.
  private func oddities(using generator: inout SeededGenerator) -> [Float] {
    var samples = Signals.noise(count: 3_000, amplitude: 2, using: &generator)
    let special: [Float] = [
      -0.0, 0, .leastNonzeroMagnitude, -.leastNormalMagnitude, 1e-30, .infinity, -.infinity, .nan,
      1e30, -1e38, 100,
    ]
    for (index, value) in special.enumerated() { samples[100 + 37 * index] = value }
    return samples
  }

  func test_process_beforeAnySettings_isBitIdenticalToTheInput() throws {
    var generator = SeededGenerator(seed: 1)
    let input = [oddities(using: &generator), oddities(using: &generator)]
    let output = try processor().rendered(input, blocks: [64])
    for channel in 0..<2 {
      XCTAssertEqual(Signals.bits(output[channel]), Signals.bits(input[channel]))
    }
  }

  func test_process_disabled_isBitIdenticalToTheInputAfterTheFade() throws {
    var generator = SeededGenerator(seed: 2)
    let processor = try processor()
    try processor.apply(ProcessorSettings(gains: [gains, gains], outputCeiling: 80))
    _ = processor.rendered([Signals.silence(1_000), Signals.silence(1_000)])
    try processor.apply(
      ProcessorSettings(gains: [gains, gains], outputCeiling: 80, isEnabled: false))
    // The fade starts after at most one sub-block (32 frames) and lasts 10 ms.
    let fade = 480 + 32
    _ = processor.rendered([Signals.silence(fade), Signals.silence(fade)])
    let input = [oddities(using: &generator), oddities(using: &generator)]
    let output = processor.rendered(input, blocks: [1, 50, 700])
    for channel in 0..<2 {
      XCTAssertEqual(Signals.bits(output[channel]), Signals.bits(input[channel]))
    }
  }

  func test_process_allGainsZero_isBitIdenticalToTheInputBelowTheCeiling() throws {
    var generator = SeededGenerator(seed: 3)
    let processor = try processor()
    let flat = Array(repeating: 0.0, count: 10)
    for settings in [
      ProcessorSettings(gains: [flat, flat], outputCeiling: 100),
      ProcessorSettings(gains: [gains, gains], outputCeiling: 100, intensity: 0),
    ] {
      try processor.apply(settings)
      processor.reset()
      var input = [[Float]]()
      for _ in 0..<2 {
        var samples = Signals.noise(count: 3_000, amplitude: 1, using: &generator)
        for (index, value) in [
          -0.0 as Float, .leastNonzeroMagnitude, 1e-30, -Float.leastNormalMagnitude / 4,
        ].enumerated() {
          samples[50 + index] = value
        }
        input.append(samples)
      }
      let output = processor.rendered(input, blocks: [1, 64, 700])
      for channel in 0..<2 {
        XCTAssertEqual(Signals.bits(output[channel]), Signals.bits(input[channel]))
      }
    }
  }

  func test_process_oneChannelWithoutGain_filtersOnlyTheOtherChannel() throws {
    var generator = SeededGenerator(seed: 4)
    let processor = try processor()
    try processor.apply(
      ProcessorSettings(
        gains: [Array(repeating: 0, count: 10), gains], outputCeiling: 130,
        allowsOutputAboveFullScale: true))
    let noise = Signals.noise(count: 2_000, using: &generator)
    let output = processor.rendered([noise, noise])
    XCTAssertEqual(Signals.bits(output[0]), Signals.bits(noise))
    XCTAssertNotEqual(Signals.bits(output[1]), Signals.bits(noise))
  }

  func test_process_enabledAgain_hasItsFullGainAfterTheFade() throws {
    let tone = Signals.sine(1_000, rate: 48_000, count: 24_000)
    let steady = try processor(channels: 1)
    try steady.apply(
      ProcessorSettings(gains: [gains], outputCeiling: 130, allowsOutputAboveFullScale: true))
    let expected = steady.rendered([tone])[0]
    let switched = try processor(channels: 1)
    try switched.apply(
      ProcessorSettings(
        gains: [gains], outputCeiling: 130, allowsOutputAboveFullScale: true, isEnabled: false))
    let off = switched.rendered([Array(tone[0..<12_000])])[0]
    XCTAssertEqual(Signals.bits(off), Signals.bits(Array(tone[0..<12_000])))
    try switched.apply(
      ProcessorSettings(gains: [gains], outputCeiling: 130, allowsOutputAboveFullScale: true))
    let on = switched.rendered([Array(tone[12_000...])])[0]
    // The fade starts after at most one sub-block and lasts 10 ms. After the fade, both outputs are
    // equal.
    for index in 512..<12_000 {
      XCTAssertEqual(on[index], expected[12_000 + index], accuracy: 1e-6)
    }
  }

  /// During the cross-fade, the output also contains unprocessed input samples. If the processor
  /// rejects an input sample, this sample must be silent in the output.
  func test_process_rejectedSampleDuringTheEnablingFade_isSilent() throws {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
    var settings = ProcessorSettings(gains: [Array(repeating: 0, count: 10)], isEnabled: false)
    try processor.apply(settings)
    _ = processor.rendered([Signals.silence(480)])
    settings.isEnabled = true
    try processor.apply(settings)
    var input = Signals.silence(480)
    for (index, sample) in [Float.infinity, 1e30, -.infinity, .nan].enumerated() {
      input[48 + 32 * index] = sample
    }
    XCTAssertEqual(Signals.peak(processor.rendered([input])[0]), 0)
  }
}
