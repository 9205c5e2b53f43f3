import Foundation
import HearingAudio
import HearingDSP
import HearingFitting
import SignalTestSupport
import XCTest

/// Compares the gains of the processor with the prescribed gains. Uses every fitting rule and every
/// standard audiogram.
final class PrescriptionAccuracyTests: XCTestCase {
  private let rate = 48_000.0

  private func impulseResponse(of processor: BandGainProcessor) -> [Float] {
    processor.reset()
    var samples = [Float](repeating: 0, count: Int(rate * 0.2))
    samples[0] = 1
    samples.withUnsafeMutableBufferPointer { buffer in
      if let base = buffer.baseAddress {
        processor.processInterleaved(base, frameCount: buffer.count)
      }
    }
    return samples
  }

  func test_response_everyRuleAndAudiogram_hasPrescribedGain_andDelayBelow2Milliseconds() throws {
    let centers = BandLayout.audiometric.centers
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: 1))
    var (atCenters, between, steep, ends, delay, highDelay) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    let standards = Signals.isSanitized ? [Audiogram.standards[2]] : Audiogram.standards
    let rules = Signals.isSanitized ? [PrescriptionRule.nalR] : PrescriptionRule.all
    for standard in standards {
      let profile = HearingProfile(left: standard.audiogram, right: nil)
      for rule in rules {
        let preset = try rule.preset(for: profile)
        var settings = try ProcessorSettings(
          preset: preset, layout: .audiometric, ears: [.left])
        // The test replaces level-dependent gains with the gains for an input of 55 dB SPL. This is
        // a typical level of speech in one frequency band.
        let gains = settings.curves[0].map { $0.gain(at: 55) }
        settings.curves = [gains.map(BandCurve.gain)]
        settings.outputCeilings = [200]
        settings.allowsOutputAboveFullScale = true
        try processor.apply(settings)
        let response = impulseResponse(of: processor)
        let context = "\(rule.name), \(standard.name)"
        func line(_ frequency: Double) -> Double {
          guard let next = centers.firstIndex(where: { $0 > frequency }) else {
            return gains[gains.count - 1]
          }
          guard next > 0 else { return gains[0] }
          let weight = log2(frequency / centers[next - 1]) / log2(centers[next] / centers[next - 1])
          return gains[next - 1] + weight * (gains[next] - gains[next - 1])
        }
        for (center, gain) in zip(centers, gains) {
          atCenters = max(atCenters, abs(Signals.gain(of: response, at: center, rate: rate) - gain))
        }
        XCTAssertLessThan(atCenters, 0.05, context)
        for band in 0..<centers.count - 1 {
          let octaves = log2(centers[band + 1] / centers[band])
          let isSteep = abs(gains[band + 1] - gains[band]) > 20 * octaves
          for step in 1..<8 {
            let frequency = centers[band] * pow(2, octaves * Double(step) / 8)
            let error = abs(Signals.gain(of: response, at: frequency, rate: rate) - line(frequency))
            if isSteep { steep = max(steep, error) } else { between = max(between, error) }
          }
        }
        XCTAssertLessThan(between, 1.25, context)
        XCTAssertLessThan(steep, 3, context)
        for frequency in [125.0, 177, 12_000] {
          ends = max(
            ends, abs(Signals.gain(of: response, at: frequency, rate: rate) - line(frequency)))
        }
        XCTAssertLessThan(ends, 0.5, context)
        for step in 0...44 {
          let frequency = 250 * pow(2, Double(step) / 8)
          let found = abs(Signals.groupDelay(of: response, at: frequency, rate: rate))
          delay = max(delay, found)
          if frequency >= 1_000 { highDelay = max(highDelay, found) }
        }
        XCTAssertLessThan(delay, 1.75, context)
        XCTAssertLessThan(highDelay, 0.6, context)
      }
    }
    print(
      "every rule and standard audiogram: \(atCenters) dB at the centres, \(between) between,",
      "\(steep) where steep, \(ends) at the ends; group delay \(delay) ms from 250 Hz,",
      "\(highDelay) ms from 1 kHz")
  }
}
