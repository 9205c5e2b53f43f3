import Foundation
import HearingAudio
import HearingAudiometry
import HearingDSP
import HearingFitting
import HearingProcessing
import SignalTestSupport
import XCTest

/// Tests a running session: the result of a hearing test changes the preset and then the sound.
final class SessionLoopTests: XCTestCase {
  private static let frequencies: [Double] = [1000, 2000, 4000]

  func test_hearingTest_duringInterruption_replacesPresetAndChangesSound() async throws {
    let controller = ProcessingController()
    let source = DefaultPresetDataSource(
      fitting: .techLevel(2), profile: HearingProfile(left: .n1, right: .n1))
    let session = try controller.activate(presetDataSource: .default(source))
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2))
    let binding = session.bind(to: processor, allowsOutputAboveFullScale: true)
    _ = try await session.preset.reload().get()
    _ = try await session.isEnabled.apply(true).get()
    let truth = HearingProfile(left: .n3, right: .n3)

    let profile = try await session.withInterruption(reason: "hearing test") {
      XCTAssertTrue(session.isInterrupted)
      for gains in Self.renderedGains(of: processor).values {
        for gain in gains { XCTAssertEqual(gain, 0, accuracy: 0.01) }
      }
      return try Self.measured(truth)
    }
    XCTAssertFalse(session.isInterrupted)
    _ = try await controller.report(.hearingTestSubmitted(profile)).get()

    let fitted = try XCTUnwrap(session.preset.value)
    XCTAssertEqual(fitted, try Fitting.techLevel(2).preset(for: profile))
    let wanted = try Fitting.techLevel(2).preset(for: truth)
    let rendered = Self.renderedGains(of: processor)
    for (channel, ear) in Ear.allCases.enumerated() {
      for (index, frequency) in Self.frequencies.enumerated() {
        let (gain, ideal) = (try XCTUnwrap(fitted[ear]), try XCTUnwrap(wanted[ear]))
        let prescribed = gain.gain(at: frequency, inputLevel: 65)
        // A threshold error of 12 dB changes these gains by about 6 dB.
        XCTAssertEqual(
          prescribed, ideal.gain(at: frequency, inputLevel: 65), accuracy: 7, "\(frequency) Hz")
        XCTAssertEqual(
          try XCTUnwrap(rendered[channel])[index], prescribed, accuracy: 0.3, "\(frequency) Hz")
      }
    }
    withExtendedLifetime(binding) {}
  }

  private static func measured(_ truth: HearingProfile) throws -> HearingProfile {
    var listener = SimulatedListener(profile: truth, seed: 11)
    var test = try ToneTest(
      method: .bayesian, frequencies: [500, 1000, 2000, 4000],
      calibration: .uncalibrated(fullScaleLevel: 120), seed: 2)
    return listener.take(&test)
  }

  /// The gain in dB of the processor for tones of 65 dB SPL, by channel and frequency.
  private static func renderedGains(of processor: BandGainProcessor) -> [Int: [Double]] {
    var gains: [Int: [Double]] = [:]
    for frequency in frequencies {
      let amplitude = Calibration().peakAmplitude(ofSineAt: 65)
      let tone = Signals.sine(frequency, rate: 48_000, count: 4_800, amplitude: amplitude)
      let block = AudioBlock([tone, tone])
      processor.process(block)
      for (channel, samples) in block.samples.enumerated() {
        // The last 960 frames contain whole periods of the tone. Before these frames, all
        // transitions have ended.
        let level = Signals.rmsLevel(samples.suffix(960))
        gains[channel, default: []].append(level - 10 * log10(amplitude * amplitude / 2))
      }
    }
    return gains
  }
}
