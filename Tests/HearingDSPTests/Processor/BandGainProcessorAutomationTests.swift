import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

/// Tests settings that change continuously, as with a slider in an app or an automation curve.
final class BandGainProcessorAutomationTests: XCTestCase {
  private let rate = 48_000.0

  private func settings(_ gains: [Double], isCompressing: Bool) throws -> ProcessorSettings {
    guard isCompressing else { return ProcessorSettings(gains: [gains]) }
    let curves = try gains.map {
      try BandCurve(points: [.init(level: 30, gain: $0 + 5), .init(level: 90, gain: $0 - 5)])
    }
    return ProcessorSettings(curves: [curves])
  }

  /// Renders a tone in blocks, and calls a closure before each block.
  private func rendered(
    _ processor: BandGainProcessor, seconds: Double, block: Int, before: (Int) throws -> Void
  ) rethrows -> [Float] {
    let tone = Signals.sine(1_000, rate: rate, count: Int(seconds * rate), amplitude: 0.001)
    var output: [Float] = []
    while output.count < tone.count {
      try before(output.count)
      let end = min(output.count + block, tone.count)
      output += processor.rendered([Array(tone[output.count..<end])])[0]
    }
    return output
  }

  func test_apply_gainRampedOncePerBlock_lagsAtMost20ms_andReachesTheLastTarget() throws {
    guard !Signals.isSanitized else {
      throw XCTSkip("three seconds of sound need a release build")
    }
    for isCompressing in [false, true] {
      for block in [16, 32, 64, 256, 960, 2_048] {
        let processor = try BandGainProcessor(
          spec: ProcessingSpec(sampleRate: rate, channelCount: 1))
        func apply(_ gain: Double) throws {
          try processor.apply(
            settings(Array(repeating: gain, count: 10), isCompressing: isCompressing))
        }
        try apply(0)
        _ = rendered(processor, seconds: 0.5, block: 480) { _ in }
        var lag = 0.0
        let output = try rendered(processor, seconds: 2, block: block) { frame in
          try apply(min(20, max(0, 20 * (Double(frame) / rate - 0.5))))
          let levels = processor.levels.channels[0]
          guard levels.targetGains[3] > 2, levels.targetGains[3] < 19 else { return }
          // The target gain rises by 20 dB per second. The lag in seconds is the difference in dB
          // divided by 20.
          lag = max(lag, (levels.targetGains[3] - levels.gains[3]) / 20)
        }
        let splatter = Spectrum.splatter(output, rate: rate)
        print(
          "ramp, compressing \(isCompressing), blocks of \(block): \(splatter) dB, lag \(lag) s")
        XCTAssertLessThan(splatter, -75)
        XCTAssertLessThan(lag, 0.020)
        let levels = processor.levels.channels[0]
        XCTAssertEqual(levels.gains[3], levels.targetGains[3], accuracy: 0.01)
        if !isCompressing {
          let end = Signals.tone(1_000, in: output[90_000...], rate: rate) / 0.001
          XCTAssertEqual(Signals.decibels(end), 20, accuracy: 0.01)
        }
      }
    }
  }

  func test_apply_randomTargetsAtRandomTimes_makesNoClick() throws {
    guard !Signals.isSanitized else {
      throw XCTSkip("two seconds of sound take too long with a sanitizer")
    }
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for isCompressing in [false, true] {
      let processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: rate, channelCount: 1))
      var next = 0
      let output = try rendered(processor, seconds: 2, block: 16) { frame in
        guard frame >= next else { return }
        next = frame + Int.random(in: 64...960, using: &generator)
        let gains = (0..<10).map { _ in Double.random(in: -10...10, using: &generator) }
        try processor.apply(settings(gains, isCompressing: isCompressing))
      }
      let splatter = Spectrum.splatter(output, rate: rate)
      print("random targets, compressing \(isCompressing): \(splatter) dB")
      XCTAssertLessThan(splatter, -75)
    }
  }

  func test_process_fadesWhileLimiting_areBitIdenticalForAnyBlockSize() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<(Signals.isSanitized ? 3 : 60) {
      let channels = Int.random(in: 1...3, using: &generator)
      let limiter = try XCTUnwrap(Limiters.all.randomElement(using: &generator)).configuration
      let bursts = (0..<channels).map { _ in
        Signals.bursts(count: 9_600, rate: rate, using: &generator)
      }
      // The settings change only at multiples of 960 frames. Each of these frames is the start of a
      // block.
      var plan: [ProcessorSettings] = []
      for _ in 0..<10 {
        let gains = (0..<10).map { _ in Double.random(in: 0...25, using: &generator) }
        plan.append(
          ProcessorSettings(
            gains: Array(repeating: gains, count: channels),
            outputCeiling: Double.random(in: 70...100, using: &generator),
            isEnabled: Bool.random(using: &generator)))
      }
      var expected: [Signals.Bits]?
      for block in [960, 1, 32, 480, 137] {
        let processor = try BandGainProcessor(
          spec: ProcessingSpec(sampleRate: rate, channelCount: channels), limiter: limiter)
        var output: [[Float]] = Array(repeating: [], count: channels)
        for (index, settings) in plan.enumerated() {
          try processor.apply(settings)
          let part = bursts.map { Array($0[index * 960..<(index + 1) * 960]) }
          for (channel, samples) in processor.rendered(part, blocks: [block]).enumerated() {
            output[channel] += samples
          }
        }
        let bits = output.map(Signals.bits)
        XCTAssertEqual(bits, expected ?? bits, "blocks of \(block), \(limiter)")
        expected = expected ?? bits
      }
    }
  }
}
