import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

final class BandGainProcessorGainTests: XCTestCase {
  /// The maximum differences in dB between a measured response and the prescribed gains.
  private struct Distance {
    var atCenters = 0.0
    var betweenCenters = 0.0
    var betweenSteepCenters = 0.0
    var atEnds = 0.0

    mutating func merge(_ other: Distance) {
      atCenters = max(atCenters, other.atCenters)
      betweenCenters = max(betweenCenters, other.betweenCenters)
      betweenSteepCenters = max(betweenSteepCenters, other.betweenSteepCenters)
      atEnds = max(atEnds, other.atEnds)
    }
  }

  /// The response of channel 0 to an impulse.
  private func impulseResponse(
    of processor: BandGainProcessor, impulse: Float = 1, seconds: Double = 0.35
  ) -> [Float] {
    processor.reset()
    let count = Int(processor.spec.sampleRate * seconds)
    var channels = Array(
      repeating: Signals.silence(count), count: processor.spec.channelCount)
    for channel in channels.indices { channels[channel][0] = impulse }
    return processor.rendered(channels)[0]
  }

  private func line(_ gains: [Double], _ centers: [Double], at frequency: Double) -> Double {
    guard let next = centers.firstIndex(where: { $0 > frequency }) else {
      return gains[gains.count - 1]
    }
    guard next > 0 else { return gains[0] }
    let share = log2(frequency / centers[next - 1]) / log2(centers[next] / centers[next - 1])
    return gains[next - 1] + share * (gains[next] - gains[next - 1])
  }

  private func measure(
    _ processor: BandGainProcessor, gains: [Double], between: Bool = true
  ) throws -> Distance {
    try processor.apply(
      ProcessorSettings(
        gains: Array(repeating: gains, count: processor.spec.channelCount), outputCeiling: 180,
        allowsOutputAboveFullScale: true))
    let response = impulseResponse(of: processor)
    let rate = processor.spec.sampleRate
    let centers = processor.layout.centers
    func gain(_ frequency: Double) -> Double {
      Signals.gain(of: response, at: frequency, rate: rate)
    }
    var distance = Distance()
    for (center, target) in zip(centers, gains) {
      distance.atCenters = max(distance.atCenters, abs(gain(center) - target))
    }
    guard between else { return distance }
    for band in 0..<centers.count - 1 {
      let octaves = log2(centers[band + 1] / centers[band])
      let isSteep = abs(gains[band + 1] - gains[band]) > 20 * octaves
      for step in 1..<8 {
        let frequency = centers[band] * pow(2, octaves * Double(step) / 8)
        let error = abs(gain(frequency) - line(gains, centers, at: frequency))
        if isSteep {
          distance.betweenSteepCenters = max(distance.betweenSteepCenters, error)
        } else {
          distance.betweenCenters = max(distance.betweenCenters, error)
        }
      }
    }
    let low = centers[0] / 2
    let high = min(centers[centers.count - 1] * 1.5, 0.46 * rate)
    for frequency in [low, low * 1.4, high] {
      let error = abs(gain(frequency) - line(gains, centers, at: frequency))
      distance.atEnds = max(distance.atEnds, error)
    }
    return distance
  }

  func test_settledGain_typicalPrescription_isCloseToTheTargetAtAllFrequencies() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
    var worst = Distance()
    for _ in 0..<(Signals.isSanitized ? 1 : 1_000) {
      let gains = Signals.hearingLikeGains(
        centers: processor.layout.centers, using: &generator)
      let distance = try measure(processor, gains: gains)
      worst.merge(distance)
      XCTAssertLessThan(distance.atCenters, 0.05, "\(gains)")
      XCTAssertLessThan(distance.betweenCenters, 1.25, "\(gains)")
      XCTAssertLessThan(distance.betweenSteepCenters, 3, "\(gains)")
      XCTAssertLessThan(distance.atEnds, 0.5, "\(gains)")
    }
    print("hearing-like targets: \(worst)")
  }

  func test_settledGain_everyRateAndLayout_meetsThePrescriptionAtTheBandCenters() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let custom = try BandLayout(centers: [200, 400, 500, 900, 1_800, 2_500, 4_000, 7_000])
    let single = try BandLayout(centers: [1_000])
    let most = try BandLayout(centers: (0..<32).map { 60 * pow(2, Double($0) / 4) })
    let layouts: [(String, BandLayout)] = [
      ("audiometric", .audiometric), ("octave", .octave), ("thirdOctave", .thirdOctave),
      ("custom", custom), ("single", single), ("32 bands", most),
    ]
    let rates: [Double] =
      Signals.isSanitized ? [16_000] : [8_000, 16_000, 22_050, 44_100, 48_000, 96_000, 192_000]
    for rate in rates {
      for (name, layout) in layouts {
        let limited = try XCTUnwrap(layout.limited(to: rate))
        let processor = try BandGainProcessor(
          spec: ProcessingSpec(sampleRate: rate, channelCount: 1), layout: limited)
        var worst = Distance()
        for _ in 0..<(Signals.isSanitized ? 1 : 10) {
          let gains = Signals.hearingLikeGains(centers: limited.centers, using: &generator)
          worst.merge(
            try measure(processor, gains: gains, between: !Signals.isSanitized))
        }
        print("\(name) at \(rate): \(worst)")
        XCTAssertLessThan(worst.atCenters, 0.05, "\(name) at \(rate)")
        XCTAssertLessThan(worst.atEnds, 0.5, "\(name) at \(rate)")
        XCTAssertLessThan(worst.betweenCenters, 3, "\(name) at \(rate)")
      }
    }
  }

  func test_init_bandsTooHighForTheSampleRate_failsAndNamesTheFirstBandThatIsTooHigh() throws {
    let own = try BandLayout(centers: [500, 6_000, 30_000, 80_000])
    let layouts = [BandLayout.audiometric, .octave, .thirdOctave, own]
    for rate in [8_000.0, 16_000, 22_050, 44_100, 48_000, 96_000, 192_000] {
      for layout in layouts {
        let spec = ProcessingSpec(sampleRate: rate, channelCount: 1)
        let limited = try XCTUnwrap(layout.limited(to: rate))
        XCTAssertNoThrow(try BandGainProcessor(spec: spec, layout: limited))
        guard limited != layout else { continue }
        do throws(BandGainProcessorError) {
          _ = try BandGainProcessor(spec: spec, layout: layout)
          XCTFail("\(rate) Hz carries \(layout)")
        } catch {
          let band = layout.centers.count { $0 < spec.centerLimit }
          XCTAssertEqual(
            error,
            .centerNotCarried(
              band: band, frequency: layout.centers[band], limit: spec.centerLimit))
        }
      }
    }
  }

  func test_settledGain_nalRForAudiogramN3_hasShortGroupDelay() throws {
    let gains = [0.1, 9.1, 14.1, 19.65, 21.2, 20.75, 21.3, 22.85, 24.4, 24.4]
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
    try processor.apply(
      ProcessorSettings(gains: [gains], outputCeiling: 180, allowsOutputAboveFullScale: true))
    let response = impulseResponse(of: processor, seconds: 0.1)
    var (low, high) = (0.0, 0.0)
    let steps = Signals.isSanitized ? 6 : 60
    for step in 0...steps {
      let frequency = 250 * pow(2, Double(step) / Double(steps) * 5.5)
      let delay = abs(Signals.groupDelay(of: response, at: frequency, rate: 48_000))
      low = max(low, delay)
      if frequency >= 1_000 { high = max(high, delay) }
    }
    print("group delay: \(low) ms from 250 Hz, \(high) ms from 1 kHz")
    XCTAssertLessThan(low, 1.5)
    XCTAssertLessThan(high, 0.4)
  }

  func test_response_equalsMeasuredGain() throws {
    let gains = [5.0, 9, 14, 20, 21, 21, 21, 23, 24, 26]
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
    try processor.apply(
      ProcessorSettings(
        gains: [gains], outputCeiling: 180, allowsOutputAboveFullScale: true, intensity: 0.5))
    let response = impulseResponse(of: processor)
    for frequency in [100.0, 250, 333, 1_000, 2_500, 7_000, 12_000, 20_000] {
      let measured = Signals.gain(of: response, at: frequency, rate: 48_000)
      XCTAssertEqual(
        processor.response(at: frequency, channel: 0), measured, accuracy: 0.01, "\(frequency)")
    }
  }

  func test_intensity_scalesTheGainsInDecibels() throws {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1),
      layout: BandLayout(centers: [500, 1_000, 2_000]))
    for intensity in [0, 0.25, 0.5, 1] {
      try processor.apply(
        ProcessorSettings(
          gains: [[10, 20, 30]], outputCeiling: 180, allowsOutputAboveFullScale: true,
          intensity: intensity))
      let response = impulseResponse(of: processor)
      for (center, gain) in zip([500.0, 1_000, 2_000], [10.0, 20, 30]) {
        let measured = Signals.gain(of: response, at: center, rate: 48_000)
        XCTAssertEqual(measured, gain * intensity, accuracy: 0.05)
      }
    }
  }
}
