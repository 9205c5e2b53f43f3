import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

final class BandGainProcessorCompressionTests: XCTestCase {
  private let rate = 48_000.0

  private func processor(
    _ curves: [[BandCurve]], layout: BandLayout = .audiometric, ceiling: Double = 150,
    linking: Double = 0, intensity: Double = 1
  ) throws -> BandGainProcessor {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: curves.count), layout: layout,
      limiter: LimiterConfiguration(isLinked: false))
    try processor.apply(
      ProcessorSettings(
        curves: curves, outputCeiling: ceiling, allowsOutputAboveFullScale: true,
        intensity: intensity, channelLinking: linking))
    return processor
  }

  /// The output level in dB SPL for a tone of `level` dB SPL, after the output has settled.
  private func output(
    _ processor: BandGainProcessor, _ frequency: Double, level: Double, channel: Int = 0
  ) -> Double {
    processor.reset()
    let tone = Signals.tone(frequency, level: level, rate: rate, seconds: 0.5)
    let channels = Array(repeating: tone, count: processor.spec.channelCount)
    let result = processor.rendered(channels)[channel]
    let settled = result[(result.count * 3 / 5)...]
    return Signals.level(ofToneAt: frequency, in: settled, rate: rate)
  }

  func test_steadyTone_atEachCenter_hasTheGainOfTheCurve() throws {
    let centers = BandLayout.audiometric.centers
    var worst = 0.0
    let listeners = Signals.isSanitized ? [3] : Array(Curves.audiograms.indices)
    for listener in listeners {
      let curves = try Curves.prescribed(listener)
      let processor = try processor([curves])
      for (band, center) in centers.enumerated()
      where !Signals.isSanitized || band == 4 {
        // Adjacent bands, and the same band of adjacent listeners, are tested at different levels.
        let lowest = (listener + band) % 2 == 0 ? 40.0 : 45
        for level in stride(from: lowest, through: 100, by: Signals.isSanitized ? 30 : 10) {
          let expected = level + curves[band].gain(at: level)
          let error = abs(output(processor, center, level: level) - expected)
          XCTAssertLessThan(error, 0.3, "audiogram \(listener), \(center) Hz at \(level) dB SPL")
          worst = max(worst, error)
        }
      }
    }
    print("steady tones, 40…100 dB SPL: within \(worst) dB of the curve")
  }

  func test_steadyTone_neighbouringBandsWithSteepCurves_hasTheGainOfItsCurve() throws {
    guard !Signals.isSanitized else { throw XCTSkip("long signals take too long with a sanitizer") }
    let centers = BandLayout.audiometric.centers
    let steep = try Curves.compressing(ratio: 3, gainAt65: 20)
    let gentle = try Curves.compressing(ratio: 1.5, gainAt65: 8)
    var worst = 0.0
    for curves in [
      centers.indices.map { $0 % 2 == 0 ? steep : gentle },
      centers.indices.map { $0 < 5 ? BandCurve.gain(0) : steep },
      centers.indices.map { $0 % 3 == 0 ? steep : BandCurve.gain(5) },
    ] {
      let processor = try processor([curves])
      for (band, center) in centers.enumerated() {
        for level in stride(from: 40.0, through: 100, by: 5) {
          let expected = level + curves[band].gain(at: level)
          let error = abs(output(processor, center, level: level) - expected)
          XCTAssertLessThan(error, 0.3, "\(center) Hz at \(level) dB SPL")
          worst = max(worst, error)
        }
      }
    }
    print("steady tones, steep neighbours: within \(worst) dB of the curve")
  }

  func test_levelsOutsideTheCurve_getTheGainOfItsNearestEnd() throws {
    let curve = try BandCurve(points: [.init(level: 50, gain: 20), .init(level: 80, gain: 5)])
    let processor = try processor([Array(repeating: curve, count: 10)])
    XCTAssertEqual(output(processor, 1_000, level: 20), 40, accuracy: 0.3)
    XCTAssertEqual(output(processor, 1_000, level: 110), 115, accuracy: 0.3)
    // During silence, each gain is the gain at the lower end of its curve. The gains do not rise
    // further.
    _ = processor.rendered([Signals.silence(96_000)])
    for gain in processor.levels.channels[0].gains { XCTAssertEqual(gain, 20, accuracy: 0.01) }
  }

  func test_intensity_scalesTheGainsInDecibels() throws {
    let curves = try Curves.prescribed(3)
    for intensity in [0.0, 0.4, 1] {
      let processor = try processor([curves], intensity: intensity)
      let expected = 65 + intensity * curves[5].gain(at: 65)
      XCTAssertEqual(output(processor, 2_000, level: 65), expected, accuracy: 0.3)
    }
  }

  func test_zeroGainAtEveryLevel_outputIsBitIdenticalToTheInput() throws {
    var generator = SeededGenerator(seed: 12)
    let noise = Signals.noise(count: 5_000, amplitude: 0.5, using: &generator)
    let curves = try Curves.prescribed(6)
    // With an intensity of 0, all gains are 0 dB.
    let silenced = try processor([curves], intensity: 0)
    XCTAssertEqual(Signals.bits(silenced.rendered([noise])[0]), Signals.bits(noise))
    // One channel compresses and the other has no gain.
    let mixed = try processor([curves, Array(repeating: .gain(0), count: 10)])
    XCTAssertEqual(
      Signals.bits(mixed.rendered([noise, noise], blocks: [7])[1]), Signals.bits(noise))
    XCTAssertNotEqual(Signals.bits(mixed.rendered([noise, noise])[0]), Signals.bits(noise))
  }

  func test_fixedGains_whileAnotherChannelCompresses_areExact() throws {
    let centers = BandLayout.audiometric.centers
    let fixed = centers.indices.map { BandCurve.gain(Double($0) * 2) }
    let processor = try processor([try Curves.prescribed(3), fixed])
    for (band, center) in centers.enumerated() {
      XCTAssertEqual(
        output(processor, center, level: 60, channel: 1), 60 + Double(band) * 2, accuracy: 0.05)
    }
  }

  func test_apply_switchingToAndFromCompression_reachesTheNewGains() throws {
    let curves = try Curves.prescribed(4)
    let fixed = Array(repeating: BandCurve.gain(6), count: 10)
    let processor = try processor([fixed])
    let tone = Signals.tone(1_500, level: 70, rate: rate, seconds: 0.4)
    func settled() -> Double {
      let result = processor.rendered([tone], blocks: [64])[0]
      return Signals.level(ofToneAt: 1_500, in: result[(result.count / 2)...], rate: rate)
    }
    XCTAssertEqual(settled(), 76, accuracy: 0.05)
    XCTAssertNil(processor.levels.channels[0].inputLevels)
    try processor.apply(
      ProcessorSettings(curves: [curves], outputCeiling: 150, allowsOutputAboveFullScale: true))
    XCTAssertEqual(settled(), 70 + curves[4].gain(at: 70), accuracy: 0.3)
    XCTAssertEqual(processor.levels.channels[0].inputLevels?[4] ?? 0, 70, accuracy: 0.1)
    try processor.apply(
      ProcessorSettings(curves: [fixed], outputCeiling: 150, allowsOutputAboveFullScale: true))
    XCTAssertEqual(settled(), 76, accuracy: 0.05)
    XCTAssertNil(processor.levels.channels[0].inputLevels)
    for gain in processor.levels.channels[0].gains { XCTAssertEqual(gain, 6, accuracy: 0.001) }
  }

  func test_maximumOutput_steadyTone_isNotExceeded() throws {
    let centers = BandLayout.audiometric.centers
    let steep = try Curves.compressing(ratio: 2, gainAt65: 25)
    let kinds: [(String, BandCurve)] = [
      ("fixed", .gain(20)), ("nothing", .gain(0)), ("compressing", steep),
    ]
    var worst = -Double.infinity
    for (name, curve) in kinds.prefix(Signals.isSanitized ? 1 : 3) {
      for intensity in Signals.isSanitized ? [0.5] : [1.0, 0.5, 0] {
        // Every band has a different maximum output, as with measured loudness discomfort levels.
        let maxima = centers.indices.map { 80 + 2 * Double($0 % 5) }
        let curves = try maxima.map { try curve.limited(toOutput: $0) }
        let processor = try processor([curves], intensity: intensity)
        for band in Signals.isSanitized ? [4] : Array(centers.indices) {
          for level in stride(from: 50.0, through: 110, by: Signals.isSanitized ? 60 : 10) {
            let heard = output(processor, centers[band], level: level)
            let expected = min(level + intensity * curve.gain(at: level), maxima[band])
            XCTAssertEqual(
              heard, expected, accuracy: 0.3, "\(name), \(intensity), \(centers[band]) Hz, \(level)"
            )
            worst = max(worst, heard - maxima[band])
          }
        }
      }
    }
    print("maximum output in each band: exceeded by \(worst) dB at most")
  }

  func test_maximumOutput_curveThatBeginsAtAHighLevel_keepsTheGainOfSoftSound() throws {
    let curve = try BandCurve(points: [.init(level: 65, gain: 30)], maximumOutput: 95)
    let processor = try processor([Array(repeating: curve, count: 10)])
    for (level, expected) in [(30.0, 60.0), (50, 80), (60, 90), (66, 95), (80, 95)] {
      XCTAssertEqual(output(processor, 1_000, level: level), expected, accuracy: 0.3, "\(level)")
    }
    processor.reset()
    _ = processor.rendered([Signals.silence(24_000)])
    for gain in try XCTUnwrap(processor.levels.channels.first).gains {
      XCTAssertEqual(gain, 30, accuracy: 0.3, "silence")
    }
  }

  func test_maximumOutput_farBelowTheInputLevel_reducesTheGainToMinus80dBAtMost() throws {
    let curve = try BandCurve(
      points: [.init(level: 0, gain: 0), .init(level: 120, gain: 0)], maximumOutput: 10)
    let processor = try processor([Array(repeating: curve, count: 10)])
    XCTAssertEqual(output(processor, 1_000, level: 110), 30, accuracy: 0.5)
  }

  func test_maximumOutput_toneBetweenBands_isMetWithinTheAccuracyOfTheEqualizer() throws {
    let curves = [
      try BandCurve.gain(30).limited(toOutput: 95),
      try Curves.compressing(ratio: 2, gainAt65: 25).limited(toOutput: 95),
    ]
    var worst = -Double.infinity
    // With the third-octave layout, the gain can fall from 30 to −10 dB between adjacent bands. In
    // such a range, the equaliser is less accurate.
    for (layout, accuracy) in [
      (BandLayout.audiometric, 0.5), (.octave, 0.5), (.thirdOctave, 2.5),
    ] {
      for curve in curves.suffix(Signals.isSanitized ? 1 : 2) {
        let processor = try processor(
          [Array(repeating: curve, count: layout.centers.count)], layout: layout)
        let gaps = Array(zip(layout.centers, layout.centers.dropFirst()))
        for (low, high) in Signals.isSanitized ? [gaps[4]] : gaps {
          for position in [0.25, 0.5, 0.75] {
            let frequency = low * pow(high / low, position)
            for level in [75.0, 90, 105] {
              let heard = output(processor, frequency, level: level)
              XCTAssertLessThan(heard, 95 + accuracy, "\(layout), \(frequency) Hz, \(level)")
              // A tone below the maximum output gets the full gain of its curve.
              let unlimited = level + curve.gain(at: level)
              XCTAssertGreaterThan(heard, min(unlimited, 95) - 3, "\(frequency) Hz, \(level)")
              worst = max(worst, heard - 95)
            }
          }
        }
      }
    }
    print("tones between bands: at most \(worst) dB above the maximum")
  }

  func test_maximumOutput_toneBelowTheFirstBand_isNotExceeded() throws {
    let curve = try Curves.compressing(ratio: 2, gainAt65: 25).limited(toOutput: 95)
    var worst = -Double.infinity
    let uneven = try BandLayout(centers: [300, 500, 900, 2000])
    for layout in [BandLayout.audiometric, .octave, uneven] {
      let processor = try processor(
        [Array(repeating: curve, count: layout.centers.count)], layout: layout)
      let distance = layout.centers[1] / layout.centers[0]
      for position in Signals.isSanitized ? [1] : [0.25, 0.5, 0.75, 1, 1.25, 1.5] {
        let frequency = layout.centers[0] * pow(distance, -position)
        for level in [75.0, 90, 105] {
          let heard = output(processor, frequency, level: level)
          XCTAssertLessThan(heard, 95.8, "\(layout), \(frequency) Hz, \(level)")
          XCTAssertGreaterThan(
            heard, min(level + curve.gain(at: level), 95) - 3, "\(frequency) Hz, \(level)")
          worst = max(worst, heard - 95)
        }
      }
    }
    print("tones below the first band: at most \(worst) dB above the maximum")
  }

  /// The processor also measures the level below the first band. This level is limited to the level
  /// range of the curve of the same channel. The curve of the other channel ends at a low level and
  /// has no effect on it.
  func test_maximumOutput_toneBelowTheFirstBand_isMet_evenIfAnotherChannelHasAShortCurve() throws {
    let limited = try Array(
      repeating: Curves.compressing(ratio: 2, gainAt65: 25).limited(toOutput: 95), count: 10)
    let short = try Array(
      repeating: BandCurve(points: [.init(level: 30, gain: 20), .init(level: 50, gain: 10)]),
      count: 10)
    for (channel, curves) in [[limited, short], [short, limited]].enumerated() {
      let processor = try processor(curves)
      let heard = output(processor, 125, level: 105, channel: channel)
      XCTAssertLessThan(heard, 95.8, "channel \(channel)")
      XCTAssertGreaterThan(heard, 92, "channel \(channel)")
    }
  }

  func test_maximumOutput_whenDisabledOrForSoftTones_hasNoEffect() throws {
    var generator = SeededGenerator(seed: 13)
    let noise = Signals.noise(count: 5_000, amplitude: 1, using: &generator)
    let limited = Array(repeating: try BandCurve.gain(10).limited(toOutput: 60), count: 10)
    let processor = try processor([limited])
    try processor.apply(ProcessorSettings(curves: [limited], isEnabled: false))
    processor.reset()
    XCTAssertEqual(Signals.bits(processor.rendered([noise])[0]), Signals.bits(noise))
    // If a tone is far below the maximum output, its gain is the same as without a maximum output.
    try processor.apply(
      ProcessorSettings(curves: [limited], outputCeiling: 150, allowsOutputAboveFullScale: true))
    XCTAssertEqual(output(processor, 1_000, level: 45), 55, accuracy: 0.05)
  }

  func test_maximumOutput_linkedChannels_isMetInEachChannel() throws {
    let loud = try Array(repeating: BandCurve.gain(20).limited(toOutput: 85), count: 10)
    let soft = try Array(repeating: BandCurve.gain(20).limited(toOutput: 75), count: 10)
    for linking in Signals.isSanitized ? [0.5] : [0.0, 0.5, 1] {
      let processor = try processor([loud, soft], linking: linking)
      XCTAssertEqual(output(processor, 2_000, level: 80), 85, accuracy: 0.3)
      XCTAssertEqual(output(processor, 2_000, level: 80, channel: 1), 75, accuracy: 0.3)
    }
  }

  func test_response_atALevel_showsTheGainsOfThatLevel() throws {
    let curves = try Curves.prescribed(3)
    let processor = try processor([curves])
    for level in [40.0, 65, 90] {
      for (band, center) in BandLayout.audiometric.centers.enumerated() {
        XCTAssertEqual(
          processor.response(at: center, channel: 0, inputLevel: level),
          curves[band].gain(at: level), accuracy: 0.05)
      }
    }
  }

  func test_response_halfIntensity_doesNotHalveTheMaximumOutput() throws {
    let curve = try Curves.compressing(ratio: 2, gainAt65: 20).limited(toOutput: 85)
    let processor = try processor([Array(repeating: curve, count: 10)], intensity: 0.5)
    for level in [50.0, 65, 80, 95] {
      let line = 0.5 * (try curve.limited(toOutput: nil).gain(at: level))
      let expected = min(line, 85 - level)
      XCTAssertEqual(
        processor.response(at: 2_000, channel: 0, inputLevel: level), expected, accuracy: 0.05)
      XCTAssertEqual(output(processor, 2_000, level: level), level + expected, accuracy: 0.3)
    }
  }

  func test_channelLinking_usesTheLevelOfTheLoudestChannelInAllChannels() throws {
    let curve = try BandCurve(points: [.init(level: 30, gain: 40), .init(level: 100, gain: 0)])
    for loudest in 0..<4 {
      let processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: 48_000, channelCount: 4))
      var settings = ProcessorSettings(
        curves: (0..<4).map { _ in Array(repeating: curve, count: 10) })
      settings.channelLinking = 1
      try processor.apply(settings)
      let input = (0..<4).map { channel in
        Signals.sine(
          1_000, rate: 48_000, count: 9_600, amplitude: channel == loudest ? 0.01 : 0.0001)
      }
      _ = processor.rendered(input)
      let gains = processor.levels.channels.map { $0.gains[3] }
      // An RMS of 1.0 represents 100 dB SPL.
      let level = 100 + Signals.decibels(0.01 / 2.0.squareRoot())
      for gain in gains { XCTAssertEqual(gain, curve.gain(at: level), accuracy: 0.3) }
    }
  }

  /// Only the first two channels are ears of the listener. The third channel has fixed gains.
  func test_channelLinking_loudChannelWithFixedGains_doesNotChangeOtherChannels() throws {
    let curve = try BandCurve(points: [.init(level: 30, gain: 40), .init(level: 100, gain: 0)])
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 3))
    let curves = [curve, curve, .gain(0)].map { Array(repeating: $0, count: 10) }
    try processor.apply(ProcessorSettings(curves: curves))
    _ = processor.rendered(
      [0.001, 0.001, 0.9].map {
        Signals.sine(1_000, rate: 48_000, count: 9_600, amplitude: $0)
      })
    let level = 100 + Signals.decibels(0.001 / 2.0.squareRoot())
    for channel in processor.levels.channels[..<2] {
      XCTAssertEqual(channel.gains[3], curve.gain(at: level), accuracy: 0.3)
      XCTAssertEqual(channel.greatestLimiterReduction, 0)
    }
  }
}
