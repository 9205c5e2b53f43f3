import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

/// Tests the headphone correction. The processor applies it before the gains of the listener.
final class HeadphoneCorrectionTests: XCTestCase {
  private let rate = 48_000.0
  private let flat = Array(repeating: 0.0, count: 10)

  private let sections: [HeadphoneCorrection.Section] = [
    .init(.lowShelf, frequency: 105, gain: 5.5, quality: 0.7),
    .init(.peak, frequency: 240, gain: -3, quality: 0.6),
    .init(.peak, frequency: 2_900, gain: -6, quality: 1.8),
    .init(.peak, frequency: 6_100, gain: 4, quality: 4),
    .init(.highShelf, frequency: 9_000, gain: -5, quality: 0.7),
  ]

  private func processor(
    _ correction: HeadphoneCorrection?, channels: Int = 1, isEnabled: Bool = true,
    gains: [Double]? = nil, ceiling: Double = 105, rate: Double = 48_000
  ) throws -> BandGainProcessor {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: channels),
      layout: XCTUnwrap(BandLayout.audiometric.limited(to: rate)))
    var settings = ProcessorSettings(
      gains: (0..<channels).map { _ in
        Array((gains ?? flat).prefix(processor.layout.centers.count))
      }, outputCeiling: ceiling, isEnabled: isEnabled)
    settings.headphone = correction
    try processor.apply(settings)
    return processor
  }

  /// The gain in dB at `frequency`, computed with the biquad formulas of Bristow-Johnson's
  /// cookbook.
  private func cookbook(
    _ section: HeadphoneCorrection.Section, at frequency: Double, rate: Double
  ) -> Double {
    let a = pow(10, section.gain / 40)
    let w = 2 * Double.pi * section.frequency / rate
    let alpha = sin(w) / (2 * section.quality)
    let (c, root) = (cos(w), 2 * a.squareRoot() * alpha)
    let (b, d): ([Double], [Double]) =
      switch section.kind {
      case .peak:
        ([1 + alpha * a, -2 * c, 1 - alpha * a], [1 + alpha / a, -2 * c, 1 - alpha / a])
      case .lowShelf:
        (
          [
            a * ((a + 1) - (a - 1) * c + root), 2 * a * ((a - 1) - (a + 1) * c),
            a * ((a + 1) - (a - 1) * c - root),
          ],
          [
            (a + 1) + (a - 1) * c + root, -2 * ((a - 1) + (a + 1) * c),
            (a + 1) + (a - 1) * c - root,
          ]
        )
      case .highShelf:
        (
          [
            a * ((a + 1) + (a - 1) * c + root), -2 * a * ((a - 1) + (a + 1) * c),
            a * ((a + 1) + (a - 1) * c - root),
          ],
          [
            (a + 1) - (a - 1) * c + root, 2 * ((a - 1) - (a + 1) * c),
            (a + 1) - (a - 1) * c - root,
          ]
        )
      }
    func magnitude(_ n: [Double]) -> Double {
      let x = 2 * Double.pi * frequency / rate
      let real = n[0] + n[1] * cos(x) + n[2] * cos(2 * x)
      let imaginary = n[1] * sin(x) + n[2] * sin(2 * x)
      return (real * real + imaginary * imaginary).squareRoot()
    }
    return 20 * log10(magnitude(b) / magnitude(d))
  }

  func test_process_withACorrection_hasTheResponseFromTheAudioEQCookbook() throws {
    var worst = 0.0
    for rate in [16_000.0, 44_100, 48_000, 96_000] {
      let correction = try HeadphoneCorrection(sections: sections, preampGain: -7)
      let processor = try processor(correction, isEnabled: false, rate: rate)
      var impulse = Signals.silence(32_768)
      impulse[0] = 0.1
      let output = processor.rendered([impulse])[0]
      let carried = sections.filter { $0.frequency < 0.49 * rate }
      for frequency in [30.0, 105, 300, 1_000, 2_900, 5_000, 6_100, 7_500, 15_000]
      where frequency < 0.49 * rate {
        let heard = Signals.gain(of: output, impulse: 0.1, at: frequency, rate: rate)
        let expected =
          -7 + carried.reduce(0) { $0 + cookbook($1, at: frequency, rate: rate) }
        worst = max(worst, abs(heard - expected))
        XCTAssertEqual(heard, expected, accuracy: 0.01, "\(frequency) Hz at \(rate) Hz")
        XCTAssertEqual(
          correction.response(at: frequency, sampleRate: rate), expected, accuracy: 1e-6)
      }
    }
    print("headphone correction: \(worst) dB from the cookbook at most")
  }

  /// The cross-fade to a new correction starts at the next chunk boundary. A chunk has 256 frames.
  /// The curve of the fade is the integral of a raised cosine. The fade lasts 20 ms, rounded to
  /// whole chunks.
  func test_apply_newCorrection_startsItsFadeAtTheNextChunkBoundary() throws {
    let processor = try processor(nil, isEnabled: false)
    _ = processor.rendered([Array(repeating: 0.5, count: 100)])
    var settings = ProcessorSettings(gains: [flat], isEnabled: false)
    settings.headphone = try HeadphoneCorrection(sections: [], preampGain: -20)
    try processor.apply(settings)
    let output = processor.rendered([Array(repeating: 0.5, count: 2_000)], blocks: [64, 37])[0]
    let edge = 256 - 100
    for sample in output[..<edge] { XCTAssertEqual(sample, 0.5) }
    for (index, sample) in output[edge..<edge + 1_024].enumerated() {
      let progress = Double(index + 1) / 1_024
      let fraction = progress - sin(2 * .pi * progress) / (2 * .pi)
      XCTAssertEqual(Double(sample), 0.5 - 0.45 * fraction, accuracy: 1e-4, "frame \(index)")
    }
    for sample in output[(edge + 1_023)...] { XCTAssertEqual(sample, 0.05, accuracy: 1e-7) }
  }

  func test_process_tenShelves_hasTheSumOfTheirResponses() throws {
    let shelves = (0..<10).map { (index: Int) -> HeadphoneCorrection.Section in
      HeadphoneCorrection.Section(
        index % 2 == 0 ? .lowShelf : .highShelf, frequency: 100 * pow(1.6, Double(index)),
        gain: Double(index) - 5, quality: 0.7)
    }
    let correction = try HeadphoneCorrection(sections: shelves, preampGain: 0)
    let processor = try processor(correction, isEnabled: false)
    var impulse = Signals.silence(16_384)
    impulse[0] = 0.01
    let output = processor.rendered([impulse])[0]
    for frequency in [100.0, 500, 2_000, 8_000] {
      XCTAssertEqual(
        Signals.gain(of: output, impulse: 0.01, at: frequency, rate: rate),
        correction.response(at: frequency), accuracy: 0.01)
    }
  }

  func test_preampGain_byDefault_cancelsThePeakGainOfTheCurve() throws {
    let correction = try HeadphoneCorrection(sections: [
      .init(.peak, frequency: 1_000, gain: 6, quality: 1),
      .init(.peak, frequency: 1_000, gain: 4, quality: 1),
    ])
    XCTAssertEqual(correction.preampGain, -10, accuracy: 0.01)
    let cut = try HeadphoneCorrection(sections: [
      .init(.peak, frequency: 1_000, gain: -6, quality: 1)
    ])
    XCTAssertEqual(cut.preampGain, 0, accuracy: 0.01)
    let narrow = try HeadphoneCorrection(sections: [
      .init(.peak, frequency: 1_008, gain: 20, quality: 20)
    ])
    XCTAssertEqual(narrow.preampGain, -20, accuracy: 0.01)
  }

  func test_preampGain_byDefault_cancelsBoostsThatOnlyHighSampleRatesHave() throws {
    let correction = try HeadphoneCorrection(
      sections: [.init(.highShelf, frequency: 25_000, gain: 20, quality: 0.5)])
    for sampleRate in [44_100, 48_000, 96_000, 192_000.0] {
      let maximum = (0...400).map {
        correction.response(at: 10 * pow(2_200, Double($0) / 400), sampleRate: sampleRate)
      }.max()
      XCTAssertLessThanOrEqual(try XCTUnwrap(maximum), 0.01, "\(sampleRate) Hz")
    }
  }

  func test_init_valuesOutOfRange_failsWithTheValue() {
    func failure(_ section: HeadphoneCorrection.Section) -> HeadphoneCorrection.Invalid? {
      do throws(HeadphoneCorrection.Invalid) {
        _ = try HeadphoneCorrection(sections: [section])
        return nil
      } catch {
        return error
      }
    }
    XCTAssertEqual(
      failure(.init(.peak, frequency: 5, gain: 0, quality: 1)),
      .frequencyOutOfRange(section: 0, frequency: 5))
    XCTAssertEqual(
      failure(.init(.peak, frequency: 100, gain: 41, quality: 1)),
      .gainOutOfRange(section: 0, gain: 41))
    XCTAssertEqual(
      failure(.init(.peak, frequency: 100, gain: 0, quality: 0)),
      .qualityOutOfRange(section: 0, quality: 0))
    XCTAssertNotNil(failure(.init(.peak, frequency: .nan, gain: 0, quality: 1)))
    XCTAssertNotNil(failure(.init(.peak, frequency: 100, gain: .nan, quality: 1)))
    XCTAssertThrowsError(try HeadphoneCorrection(sections: sections + sections + sections))
    XCTAssertThrowsError(try HeadphoneCorrection(sections: [], preampGain: .infinity))
  }

  func test_process_enabledWithoutGains_equalsTheCorrectionAlone() throws {
    var generator = SeededGenerator(seed: 3)
    let noise = (0..<2).map { _ in
      Signals.noise(count: 9_600, amplitude: 0.1, using: &generator)
    }
    let correction = try HeadphoneCorrection(sections: sections)
    let alone = try processor(correction, channels: 2, isEnabled: false).rendered(noise)
    let flat = try processor(correction, channels: 2).rendered(noise)
    XCTAssertEqual(alone.map(Signals.bits), flat.map(Signals.bits))
  }

  func test_process_gainsAndCorrection_addInDecibels() throws {
    let gains = (0..<10).map { Double($0) }
    let correction = try HeadphoneCorrection(sections: sections, preampGain: -12)
    var impulse = Signals.silence(16_384)
    impulse[0] = 0.01
    let with = try processor(correction, gains: gains).rendered([impulse])[0]
    let without = try processor(nil, gains: gains).rendered([impulse])[0]
    for frequency in [100.0, 500, 2_000, 8_000] {
      let difference =
        Signals.gain(of: with, impulse: 0.01, at: frequency, rate: rate)
        - Signals.gain(of: without, impulse: 0.01, at: frequency, rate: rate)
      XCTAssertEqual(difference, correction.response(at: frequency), accuracy: 0.01)
    }
  }

  func test_process_anySplitIntoBlocks_isBitIdentical_evenWhileCorrectionsChange() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for channels in 1...3 {
      let bursts = (0..<channels).map { _ in
        Signals.bursts(count: 9_600, rate: rate, using: &generator).map { $0 * 4 }
      }
      let plan: [HeadphoneCorrection?] = try [
        nil, HeadphoneCorrection(sections: sections, preampGain: 6),
        HeadphoneCorrection(sections: Array(sections.prefix(2))), nil,
        HeadphoneCorrection(sections: sections),
      ]
      var expected: [Signals.Bits]?
      for blocks in [[1_920], [1], [64], [7, 300, 13, 640]] {
        let processor = try processor(nil, channels: channels, gains: flat.map { _ in 3 })
        var output = [[Float]](repeating: [], count: channels)
        for (index, correction) in plan.enumerated() {
          var settings = ProcessorSettings(
            gains: Array(repeating: flat.map { _ in 3 }, count: channels), outputCeiling: 95,
            isEnabled: index != 2)
          settings.headphone = correction
          try processor.apply(settings)
          let part = bursts.map { Array($0[index * 1_920..<(index + 1) * 1_920]) }
          for (channel, samples) in processor.rendered(part, blocks: blocks).enumerated() {
            output[channel] += samples
          }
        }
        let bits = output.map(Signals.bits)
        if let expected { XCTAssertEqual(bits, expected, "\(blocks)") } else { expected = bits }
      }
    }
  }

  func test_apply_anotherCorrection_makesNoClick() throws {
    let one = try HeadphoneCorrection(sections: sections)
    let other = try HeadphoneCorrection(sections: [
      .init(.peak, frequency: 1_000, gain: -20, quality: 0.7)
    ])
    for (from, to) in [(one, other), (other, nil), (nil, one)] as [(HeadphoneCorrection?, _)] {
      let processor = try processor(from, isEnabled: false)
      let tone = Signals.sine(1_000, rate: rate, count: 96_000, amplitude: 0.1)
      var output = processor.rendered([Array(tone[..<48_000])])[0]
      var settings = ProcessorSettings(gains: [flat], isEnabled: false)
      settings.headphone = to
      try processor.apply(settings)
      output += processor.rendered([Array(tone[48_000...])])[0]
      let splatter = Spectrum.splatter(output, rate: rate)
      print("another headphone correction: \(splatter) dB")
      XCTAssertLessThan(splatter, -75)
    }
  }

  func test_process_boostingCorrection_staysBelowTheCeiling_evenWhileDisabled() throws {
    let correction = try HeadphoneCorrection(
      sections: [.init(.lowShelf, frequency: 200, gain: 20, quality: 0.7)], preampGain: 10)
    for isEnabled in [false, true] {
      for ceiling in [80.0, 105] {
        let processor = try processor(
          correction, channels: 2, isEnabled: isEnabled, ceiling: ceiling)
        let square = Signals.square(60, rate: rate, count: 24_000)
        let output = processor.rendered([square, square.map { -$0 / 2 }], blocks: [64])
        let bound = min(1, Float(Signals.bound(ceiling)))
        for channel in output { XCTAssertLessThanOrEqual(Signals.peak(channel), bound) }
      }
    }
  }

  func test_process_invalidSamples_areRenderedLikeSilence_andDoNotAffectLaterOutput() throws {
    var generator = SeededGenerator(seed: 5)
    let noise = Signals.noise(count: 48_000, amplitude: 0.1, using: &generator)
    var broken = noise
    for index in 9_600..<9_700 {
      broken[index] = [Float.nan, .infinity, 1e30, -.infinity][index % 4]
    }
    var silenced = noise
    for index in 9_600..<9_700 { silenced[index] = 0 }
    let correction = try HeadphoneCorrection(sections: sections)
    let clean = try processor(correction, isEnabled: false).rendered([noise], blocks: [64])[0]
    let expected = try processor(correction, isEnabled: false)
      .rendered([silenced], blocks: [64])[0]
    let processor = try processor(correction, isEnabled: false)
    let output = processor.rendered([broken], blocks: [64])[0]
    XCTAssertEqual(Signals.bits(output), Signals.bits(expected))
    for index in 14_500..<48_000 {
      XCTAssertEqual(output[index], clean[index], accuracy: 1e-3)
    }
    XCTAssertEqual(processor.levels.channels[0].rejectedSampleCount, 100)
  }

  func test_process_silenceAfterSound_becomesDigitalSilence() throws {
    let processor = try processor(HeadphoneCorrection(sections: sections), isEnabled: false)
    var generator = SeededGenerator(seed: 5)
    _ = processor.rendered([Signals.noise(count: 4_800, using: &generator)])
    let output = processor.rendered([Signals.silence(96_000)])[0]
    XCTAssertTrue(output[48_000...].allSatisfy { $0 == 0 })
  }

  func test_apply_correctionAddedOrRemovedDuringSilence_outputsDigitalSilence() throws {
    let correction = try HeadphoneCorrection(sections: sections)
    for (from, to) in [(correction, nil), (nil, correction)] as [(HeadphoneCorrection?, _)] {
      let processor = try processor(from, isEnabled: false)
      _ = processor.rendered([Signals.silence(1_000)])
      var settings = ProcessorSettings(gains: [flat], isEnabled: false)
      settings.headphone = to
      try processor.apply(settings)
      let output = processor.rendered([Signals.silence(9_600)], blocks: [64, 3])[0]
      XCTAssertTrue(output.allSatisfy { $0 == 0 })
    }
  }

  func test_reset_sameInputAgain_rendersTheSameBits() throws {
    var generator = SeededGenerator(seed: 7)
    let processor = try processor(HeadphoneCorrection(sections: sections), isEnabled: false)
    let noise = Signals.noise(count: 2_000, using: &generator)
    let first = processor.rendered([noise])[0]
    processor.reset()
    XCTAssertEqual(Signals.bits(processor.rendered([noise])[0]), Signals.bits(first))
  }

  /// If one channel is above the ceiling, all channels get the same gain reduction.
  func test_process_oneChannelAboveTheCeiling_keepsTheLevelDifferenceBetweenTheEars() throws {
    let correction = try HeadphoneCorrection(sections: [], preampGain: 12)
    let loud = Signals.sine(300, rate: rate, count: 9_600, amplitude: 0.9)
    for quiet in [0, 1] {
      let processor = try processor(correction, channels: 2, isEnabled: false)
      var input = [loud, loud]
      input[quiet] = loud.map { $0 / 8 }
      let output = processor.rendered(input)
      for (soft, hard) in zip(output[quiet], output[1 - quiet]) {
        XCTAssertEqual(8 * soft, hard, accuracy: 1e-5)
      }
    }
  }

  /// If several filter sections overflow, the processor recovers at the start of the next chunk of
  /// 256 frames.
  func test_process_afterSectionsOverflow_outputRecovers() throws {
    let resonant = HeadphoneCorrection.Section(.lowShelf, frequency: 1_000, gain: 40, quality: 50)
    let processor = try BandGainProcessor(spec: ProcessingSpec(sampleRate: rate, channelCount: 1))
    var settings = ProcessorSettings(
      gains: [flat], outputCeiling: 200, allowsOutputAboveFullScale: true, isEnabled: false)
    settings.headphone = try HeadphoneCorrection(
      sections: Array(repeating: resonant, count: 10), preampGain: -40)
    try processor.apply(settings)
    // The resonance frequency of these shelf filters is lower than their nominal frequency.
    let loud = Signals.sine(316, rate: rate, count: 24_000, amplitude: 1e5)
    XCTAssertTrue(processor.rendered([loud])[0].allSatisfy(\.isFinite))
    // The shelf filters ring for several seconds.
    _ = processor.rendered([Signals.silence(240_000)])
    let soft = Signals.sine(8_000, rate: rate, count: 4_800, amplitude: 0.1)
    XCTAssertGreaterThan(Signals.peak(processor.rendered([soft])[0]), 5e-4)
  }
}
