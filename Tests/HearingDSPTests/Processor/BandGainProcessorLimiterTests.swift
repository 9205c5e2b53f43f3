import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

/// Tests audible properties of the output limiter: distortion, stereo image and delay.
final class BandGainProcessorLimiterTests: XCTestCase {
  private let rate = 48_000.0
  private let flat = Array(repeating: 0.0, count: 10)
  private let gains = [0.1, 9.1, 14.1, 19.65, 21.2, 20.75, 21.3, 22.85, 24.4, 24.4]

  private func processor(
    _ limiter: LimiterConfiguration, channels: Int = 1, ceiling: Double = 100,
    gains: [Double]? = nil
  ) throws -> BandGainProcessor {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: channels), limiter: limiter)
    try processor.apply(
      ProcessorSettings(
        gains: Array(repeating: gains ?? flat, count: channels), outputCeiling: ceiling,
        allowsOutputAboveFullScale: true))
    return processor
  }

  func test_init_lookAheadOutOfRange_failsWithTheValue() {
    for seconds in [-0.001, 0.0101, .infinity] {
      do throws(BandGainProcessorError) {
        _ = try BandGainProcessor(
          spec: ProcessingSpec(sampleRate: rate, channelCount: 1),
          limiter: LimiterConfiguration(lookAhead: seconds))
        XCTFail("accepted \(seconds) s")
      } catch {
        XCTAssertEqual(error, .lookAheadOutOfRange(seconds))
        XCTAssertEqual(error.description, "the look-ahead must be 0…0.01 s, not \(seconds)")
      }
    }
    XCTAssertThrowsError(
      try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: rate, channelCount: 1),
        limiter: LimiterConfiguration(lookAhead: .nan)))
  }

  func test_latency_isTheLookAheadInFrames() throws {
    for (rate, lookAhead, latency) in [
      (48_000.0, 0.0, 0), (48_000, 0.002, 96), (44_100, 0.01, 441), (8_000, 0.000_1, 1),
      (192_000, 0.01, 1_920), (16_000, 0.000_01, 0),
    ] {
      let processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: rate, channelCount: 1),
        layout: XCTUnwrap(BandLayout.audiometric.limited(to: rate)),
        limiter: LimiterConfiguration(lookAhead: lookAhead))
      XCTAssertEqual(processor.latency, latency)
      let bands = processor.layout.centers.count
      for isEnabled in [false, true] {
        for gain in [0.0, 6] {
          try processor.apply(
            ProcessorSettings(
              gains: [Array(repeating: gain, count: bands)], isEnabled: isEnabled))
          processor.reset()
          var impulse = Signals.silence(latency + 100)
          impulse[10] = 0.1
          let output = processor.rendered([impulse], blocks: [64])[0]
          let first = output.firstIndex { $0 != 0 }
          XCTAssertEqual(first, 10 + latency, "\(rate), \(lookAhead), \(isEnabled), \(gain)")
        }
      }
    }
  }

  func test_process_allGainsZero_isBitIdenticalToTheDelayedInput() throws {
    var generator = SeededGenerator(seed: 31)
    let noise = (0..<2).map { _ in
      Signals.noise(count: 5_000, amplitude: 0.4, using: &generator)
    }
    for (name, limiter) in Limiters.all {
      let processor = try processor(limiter, channels: 2)
      let output = processor.rendered(noise, blocks: [1, 64, 700])
      for channel in 0..<2 {
        let expected = Signals.delayed(noise[channel], by: processor.latency)
        XCTAssertEqual(Signals.bits(output[channel]), Signals.bits(expected), name)
      }
      XCTAssertEqual(processor.levels.channels[0].limitedFrameCount, 0)
    }
  }

  func test_process_disabled_isBitIdenticalToTheDelayedInput() throws {
    var generator = SeededGenerator(seed: 32)
    var noise = Signals.noise(count: 5_000, amplitude: 20, using: &generator)
    for (index, value) in [Float.nan, .infinity, -.infinity, 1e30, -0.0].enumerated() {
      noise[100 + 3 * index] = value
    }
    for (name, limiter) in Limiters.all {
      let processor = try processor(limiter, channels: 1)
      try processor.apply(ProcessorSettings(gains: [gains], outputCeiling: 80, isEnabled: false))
      let output = processor.rendered([noise], blocks: [1, 64, 700])[0]
      let expected = Signals.delayed(noise, by: processor.latency)
      XCTAssertEqual(Signals.bits(output), Signals.bits(expected), name)
      let levels = processor.levels.channels[0]
      XCTAssertEqual(levels.limitedFrameCount, 0)
      XCTAssertEqual(levels.limiterReduction, 0)
      XCTAssertEqual(levels.greatestLimiterReduction, 0)
    }
  }

  func test_process_fadesWithoutGain_areBitIdenticalToTheDelayedInput() throws {
    // Without gain, processed and unprocessed samples are equal. If they are also aligned in time,
    // a cross-fade between them changes nothing.
    var generator = SeededGenerator(seed: 33)
    let noise = Signals.noise(count: 12_000, amplitude: 0.5, using: &generator)
    for (name, limiter) in Limiters.all {
      let processor = try processor(limiter)
      var output = [Float]()
      for start in stride(from: 0, to: noise.count, by: 1_000) {
        try processor.apply(
          ProcessorSettings(
            gains: [flat], outputCeiling: 100, isEnabled: start / 1_000 % 2 == 0))
        output += processor.rendered([Array(noise[start..<start + 1_000])], blocks: [50])[0]
      }
      XCTAssertEqual(
        Signals.bits(output), Signals.bits(Signals.delayed(noise, by: processor.latency)), name)
    }
  }

  func test_process_anySplitIntoBlocks_isBitIdentical() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let count = Signals.isSanitized ? 3_000 : 40_000
    for channels in [1, 2, 3] {
      let input = (0..<channels).map { _ in
        Signals.bursts(count: count, rate: rate, using: &generator)
      }
      for (name, limiter) in Limiters.all {
        func rendered(_ blocks: [Int], interleaved: Bool = false) throws -> [[Float]] {
          let processor = try processor(limiter, channels: channels, ceiling: 95, gains: gains)
          var result = input.map { _ in [Float]() }
          let cuts = [0, count / 4 + 5, count / 2 + 1, count * 3 / 4, count]
          for (index, (start, end)) in zip(cuts, cuts.dropFirst()).enumerated() {
            if index > 0 {
              let ceilings = input.indices.map { 95 - 3 * Double(index + $0) }
              try processor.apply(
                ProcessorSettings(
                  curves: input.map { _ in gains.map(BandCurve.gain) }, outputCeilings: ceilings,
                  allowsOutputAboveFullScale: true,
                  isEnabled: index != 2))
            }
            let part = input.map { Array($0[start..<end]) }
            let output =
              interleaved
              ? processor.renderedInterleaved(part, blocks: blocks)
              : processor.rendered(part, blocks: blocks)
            for channel in input.indices { result[channel] += output[channel] }
          }
          return result
        }
        let whole = try rendered([8_192])
        for blocks in Signals.isSanitized ? [[1, 300]] : [[1], [16], [31], [64], [7, 1_000]] {
          for interleaved in [false, true] {
            let split = try rendered(blocks, interleaved: interleaved)
            for channel in 0..<channels {
              XCTAssertEqual(
                Signals.bits(split[channel]), Signals.bits(whole[channel]),
                "\(name), channel \(channel) of \(channels), blocks \(blocks)")
            }
          }
        }
      }
    }
  }

  func test_process_toneAboveTheCeiling_isLoweredToTheCeilingWithoutDistortion() throws {
    guard !Signals.isSanitized else { throw XCTSkip("long signals take too long with a sanitizer") }
    for (name, limiter) in Limiters.all {
      for over in [3.0, 6, 12] {
        var figures = [String]()
        for frequency in [50.0, 80, 100, 124, 250, 442, 996, 2_002, 3_998, 7_876] {
          let processor = try processor(limiter, ceiling: 90)
          let tone = Signals.tone(frequency, level: 90 + over, rate: rate, seconds: 1.5)
          let output = processor.rendered([tone], blocks: [64])[0]
          let figure = Signals.distortion(
            ofToneAt: frequency, in: output.suffix(24_000), rate: rate)
          figures.append("\(Int(frequency)) Hz \(Int(figure)) dB")
          // If the period of a tone is nearly a whole number of samples, the highest sample varies
          // slowly from period to period.
          let isNearlyWhole = [2_002, 3_998, 7_876].contains(frequency)
          XCTAssertLessThan(
            figure, isNearlyWhole ? -80 : -135, "\(name), \(frequency) Hz, \(over) dB above")
          XCTAssertEqual(
            Signals.level(ofToneAt: frequency, in: output.suffix(24_000), rate: rate), 90,
            accuracy: 0.4)
        }
        print("distortion, \(name), \(Int(over)) dB above: \(figures.joined(separator: ", "))")
      }
    }
  }

  func test_process_toneOnsetAboveTheCeiling_longerLookAheadCausesLessSplatter() throws {
    guard !Signals.isSanitized else { throw XCTSkip("long signals take too long with a sanitizer") }
    var tone = Signals.tone(1_000, level: 70, rate: rate, seconds: 2)
    for index in 48_000..<96_000 {
      let place = min(1, Double(index - 48_000) / 480)
      // Within 10 ms, the tone becomes 26 dB louder. Its new level is 6 dB above the ceiling.
      tone[index] *= Float(1 + 18.95 * (1 - cos(.pi * place)) / 2)
    }
    var energies = [Double]()
    for lookAhead in [0, 0.001, 0.002, 0.005, 0.01] {
      let processor = try processor(LimiterConfiguration(lookAhead: lookAhead), ceiling: 90)
      let energy = Spectrum.splatter(processor.rendered([tone])[0], rate: rate)
      print("onset 6 dB above the ceiling, \(lookAhead * 1_000) ms ahead: \(energy) dB")
      energies.append(energy)
    }
    XCTAssertLessThan(energies[0], -48)
    XCTAssertLessThan(energies[2], -60)
    XCTAssertLessThan(energies[3], -69)
  }

  func test_process_linked_keepsTheLevelDifferenceBetweenTheEars() throws {
    let loud = Signals.tone(1_000, level: 102, rate: rate, seconds: 0.5)
    let soft = loud.map { $0 * Float(pow(10, -10.0 / 20)) }
    for (name, limiter) in Limiters.all {
      let processor = try processor(limiter, channels: 2, ceiling: 90)
      let output = processor.rendered([loud, soft], blocks: [64])
      let levels = output.map { Signals.level(ofToneAt: 1_000, in: $0[12_000...], rate: rate) }
      let reductions = processor.levels.channels.map(\.limiterReduction)
      print("\(name): \(levels[0] - levels[1]) dB between the ears, 10 before")
      XCTAssertEqual(levels[0], 90, accuracy: 0.01)
      XCTAssertEqual(levels[0] - levels[1], limiter.isLinked ? 10 : 0, accuracy: 0.01, name)
      XCTAssertEqual(reductions[0], 12, accuracy: 0.01)
      XCTAssertEqual(reductions[1], limiter.isLinked ? 12 : 2, accuracy: 0.01)
    }
  }

  func test_process_linkedWithTwoCeilings_lowersBothChannelsForTheLowerCeiling() throws {
    let tone = Signals.tone(1_000, level: 98, rate: rate, seconds: 0.3)
    for lookAhead in [0, 0.003] {
      let processor = try processor(
        LimiterConfiguration(lookAhead: lookAhead, isLinked: true), channels: 2)
      try processor.apply(
        ProcessorSettings(
          curves: [flat, flat].map { $0.map(BandCurve.gain) }, outputCeilings: [100, 95]))
      let output = processor.rendered([tone, tone])
      for channel in output {
        XCTAssertEqual(
          Signals.level(ofToneAt: 1_000, in: channel[8_000...], rate: rate), 95, accuracy: 0.01)
      }
    }
  }

  /// The gain reduction of both channels is the same. The channel that exceeds its own ceiling by
  /// more determines it.
  func test_process_linkedWithTwoCeilings_keepsEachChannelBelowItsOwnCeiling() throws {
    for (inputs, reduction) in [
      ([108.0, 80], 8.0), ([80, 105], 10), ([108, 105], 10), ([98, 94], 0),
    ] {
      for lookAhead in [0, 0.003] {
        let processor = try processor(
          LimiterConfiguration(lookAhead: lookAhead, isLinked: true), channels: 2)
        try processor.apply(
          ProcessorSettings(
            curves: [flat, flat].map { $0.map(BandCurve.gain) }, outputCeilings: [100, 95],
            allowsOutputAboveFullScale: true))
        let output = processor.rendered(
          inputs.map { Signals.tone(1_000, level: $0, rate: rate, seconds: 0.3) })
        for (channel, input) in inputs.enumerated() {
          XCTAssertEqual(
            Signals.level(ofToneAt: 1_000, in: output[channel][8_000...], rate: rate),
            input - reduction, accuracy: 0.01, "\(inputs), channel \(channel), \(lookAhead) s")
          let bound = Float(Signals.bound([100.0, 95][channel]))
          XCTAssertLessThanOrEqual(Signals.peak(output[channel]), bound)
        }
      }
    }
  }

  func test_process_unlinked_invalidSamplesAffectOnlyTheirChannel() throws {
    var generator = SeededGenerator(seed: 34)
    let clean = (0..<2).map { _ in
      Signals.noise(count: 16_000, amplitude: 0.2, using: &generator)
    }
    for limiter in [
      LimiterConfiguration(isLinked: false),
      LimiterConfiguration(lookAhead: 0.004, isLinked: false),
    ] {
      let expected = try processor(limiter, channels: 2, gains: gains).rendered(clean)
      let faults: [[Float]] = [[.nan], [.infinity, -.infinity], [1e30], [12, -12]]
      for fault in faults {
        var broken = clean
        broken[0].replaceSubrange(4_000..<4_000 + fault.count, with: fault)
        let output = try processor(limiter, channels: 2, gains: gains).rendered(broken)
        XCTAssertEqual(Signals.bits(output[1]), Signals.bits(expected[1]))
        XCTAssertTrue(output[0].allSatisfy(\.isFinite))
        if fault.count == 1 {
          for index in 4_000 + 4_800..<16_000 {
            XCTAssertEqual(output[0][index], expected[0][index], accuracy: 1e-3)
          }
        }
      }
    }
  }

  func test_process_afterLoudSound_limiterReturnsExactlyToUnityGain() throws {
    var generator = SeededGenerator(seed: 35)
    for (name, limiter) in Limiters.all {
      let processor = try processor(limiter, ceiling: 80)
      let loud = Signals.sine(500, rate: rate, count: 4_800, amplitude: 1)
      _ = processor.rendered([loud])
      XCTAssertEqual(processor.levels.channels[0].limiterReduction, 17, accuracy: 0.1, name)
      let soft = Signals.noise(count: 60_000, amplitude: 0.05, using: &generator)
      let output = processor.rendered([soft])[0]
      XCTAssertEqual(processor.levels.channels[0].limiterReduction, 0)
      XCTAssertEqual(
        Signals.bits(output.suffix(5_000)),
        Signals.bits(Signals.delayed(soft, by: processor.latency).suffix(5_000)), name)
    }
  }

  func test_reset_clearsTheLookAheadDelay() throws {
    var generator = SeededGenerator(seed: 36)
    let noise = Signals.noise(count: 3_000, amplitude: 1, using: &generator)
    for (name, limiter) in Limiters.all {
      let processor = try processor(limiter, ceiling: 85, gains: gains)
      let first = processor.rendered([noise])[0]
      processor.reset()
      XCTAssertEqual(Signals.bits(processor.rendered([noise])[0]), Signals.bits(first), name)
      processor.reset()
      XCTAssertEqual(Signals.peak(processor.rendered([Signals.silence(600)])[0]), 0, name)
    }
  }

  func test_reset_whileDisabled_clearsTheDelayedInput() throws {
    var generator = SeededGenerator(seed: 38)
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: 2),
      limiter: LimiterConfiguration(lookAhead: 0.01))
    let noise = Signals.noise(count: 1_000, using: &generator)
    _ = processor.rendered([noise, noise])
    processor.reset()
    for channel in processor.rendered([Signals.silence(600), Signals.silence(600)]) {
      XCTAssertEqual(Signals.peak(channel), 0)
    }
  }
}
