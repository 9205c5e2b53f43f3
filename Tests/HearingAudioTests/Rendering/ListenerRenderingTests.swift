import Foundation
import HearingDSP
import HearingFitting
import XCTest

@testable import HearingAudio

final class ListenerRenderingTests: XCTestCase {
  private func wav(_ samples: [[Float]], rate: Int = 16_000) throws -> [UInt8] {
    try WAVWriter.bytes(
      of: samples,
      format: WAVFormat(sampleRate: rate, channelCount: samples.count, encoding: .float32))
  }

  private func tone(_ amplitude: Float, _ count: Int = 32_000) -> [Float] {
    (0..<count).map { amplitude * sin(Float($0) * 0.39) }
  }

  func test_init_file_measuresTheActiveLevel_andSeeksBackToTheFirstFrame() throws {
    let reader = try WAVReader(bytes: wav([tone(0.1)]))
    let rendering = try ListenerRendering(of: reader)
    let level = try XCTUnwrap(rendering.activeLevel)
    XCTAssertEqual(level, -23, accuracy: 0.2)
    XCTAssertEqual(rendering.calibration.fullScaleSPL, 65 - level, accuracy: 1e-9)
    XCTAssertEqual(reader.position, 0)
  }

  func test_init_stream_assumesAFullScaleOf100dBSPL_andFailsIfTheCalibrationNeedsItsLevel() throws {
    let bytes = try wav([tone(0.1)])
    let rendering = try ListenerRendering(of: WAVReader(source: StreamByteSource(bytes)))
    XCTAssertNil(rendering.activeLevel)
    XCTAssertEqual(rendering.calibration.fullScaleSPL, 100)
    XCTAssertThrowsError(
      try ListenerRendering(
        of: WAVReader(source: StreamByteSource(bytes)), calibration: .activeLevelSPL(65))
    ) { XCTAssertEqual($0 as? RenderingError, .levelOfStream) }
  }

  func test_init_unsupportedChannelsRateOrLevel_failsWithTheReason() throws {
    let cases: [([[Float]], Int, InputCalibration, RenderingError)] = [
      ([[0], [0], [0]], 16_000, .conversation, .tooManyChannels(3)),
      ([[0]], 4_000, .conversation, .unsupportedSampleRate(4_000)),
      ([[0]], 16_000, .fullScaleSPL(300), .levelOutOfRange(fullScaleSPL: 300)),
    ]
    for (samples, rate, calibration, failure) in cases {
      let reader = try WAVReader(bytes: wav(samples, rate: rate))
      XCTAssertThrowsError(try ListenerRendering(of: reader, calibration: calibration)) {
        XCTAssertEqual($0 as? RenderingError, failure)
      }
    }
    XCTAssertEqual(
      RenderingError.unsupportedSampleRate(4_000).description,
      "a sample rate of 4000 Hz is outside 8000…192000 Hz")
  }

  func test_cancelledReading_seeksBackToTheFirstFrame() throws {
    var calls = 0
    /// Returns true at the second call. By then, the renderer has read some frames.
    func isCancelled() -> Bool {
      calls += 1
      return calls == 2
    }
    let reader = try WAVReader(bytes: wav([tone(0.1)]))
    XCTAssertThrowsError(try ListenerRendering(of: reader, isCancelled: isCancelled)) {
      XCTAssertEqual($0 as? RenderingError, .cancelled(frameCount: 0))
    }
    XCTAssertEqual(reader.position, 0)
    let rendering = try ListenerRendering(of: reader)
    try rendering.apply(nil)
    calls = 0
    XCTAssertThrowsError(
      try rendering.measuredScaling(encoding: .float32, isCancelled: isCancelled))
    XCTAssertEqual(reader.position, 0)
    calls = 0
    XCTAssertThrowsError(
      try rendering.copyOriginal(
        to: MemoryFrameSink(channelCount: 2), isCancelled: isCancelled))
    XCTAssertEqual(reader.position, 0)
    let sink = MemoryFrameSink(channelCount: 2)
    try rendering.render(from: reader, to: sink)
    XCTAssertEqual(sink.samples[0].count, 32_000)
  }

  func test_render_acceptsATrailingClosureForProgress() throws {
    let rendering = try ListenerRendering(
      of: WAVReader(bytes: wav([tone(0.001)])), calibration: .fullScaleSPL(100))
    var fraction: Double?
    try rendering.render(from: rendering.reader, to: MemoryFrameSink(channelCount: 2)) {
      fraction = $0.fraction
    }
    XCTAssertEqual(fraction, 1)
  }

  func test_measuredScaling_keepsTheOriginalBelowFullScale() throws {
    for (amplitude, attenuation) in [(4, 12.04), (0.5, 0)] as [(Float, Double)] {
      let rendering = try ListenerRendering(
        of: WAVReader(bytes: wav([tone(amplitude)])), calibration: .fullScaleSPL(100))
      let ear = try EarPreset(frequencies: [1_000], gains: [0], maximumOutput: 80)
      try rendering.apply(Preset(left: ear, right: ear))
      let scaling = try XCTUnwrap(rendering.measuredScaling(encoding: .int16))
      XCTAssertEqual(scaling.attenuation, attenuation, accuracy: 0.01)
      let sink = MemoryFrameSink(channelCount: 2)
      try rendering.copyOriginal(to: sink)
      let peak = sink.samples[0].map(abs).max() ?? 0
      XCTAssertLessThan(peak * scaling.gain, 1)
    }
  }

  func test_measuredScaling_ignoresInvalidSamplesOfTheOriginal() throws {
    let samples = tone(0.5) + [1e30] + tone(0.5)
    let rendering = try ListenerRendering(
      of: WAVReader(bytes: wav([samples])), calibration: .fullScaleSPL(100))
    try rendering.apply(nil)
    let scaling = try XCTUnwrap(rendering.measuredScaling(encoding: .int16))
    XCTAssertEqual(scaling.attenuation, 0)
  }

  func test_scaling_differentMaximumOutputs_usesTheHigherMaximumOfBothEars() throws {
    func ear(_ maximumOutput: Double) throws -> EarPreset {
      try EarPreset(frequencies: [1_000], gains: [20], maximumOutput: maximumOutput)
    }
    let rendering = try ListenerRendering(
      of: WAVReader(bytes: wav([tone(0.001)])), calibration: .fullScaleSPL(100))
    let expected = OutputScaling(encoding: .int16, ceilingSPL: 110, fullScaleSPL: 100)
    for (left, right) in [(95.0, 110.0), (110, 95)] {
      let preset = Preset(left: try ear(left), right: try ear(right))
      XCTAssertEqual(rendering.scaling(encoding: .int16, for: preset), expected)
    }
  }

  func test_render_appliesThePresetOfEachEar_andScalingAttenuatesUnlessScaleIsKept() throws {
    let preset = try PrescriptionRule.halfGain.preset(
      for: HearingProfile(left: .n2, right: .n4))
    let rendering = try ListenerRendering(
      of: WAVReader(bytes: wav([tone(0.001)])), calibration: .fullScaleSPL(100))
    try rendering.apply(preset)
    let sink = MemoryFrameSink(channelCount: 2)
    try rendering.render(from: rendering.reader, to: sink)
    let frequency = 0.39 * 16_000 / (2 * Double.pi)
    for (ear, samples) in zip(Ear.allCases, sink.samples) {
      let power = samples.suffix(16_000).reduce(0) { $0 + Double($1) * Double($1) } / 16_000
      let gain = 10 * log10(power) - 20 * log10(0.001 / 2.0.squareRoot())
      let expected = try XCTUnwrap(preset[ear]).gain(at: frequency, inputLevel: 37)
      XCTAssertEqual(gain, expected, accuracy: 0.5, "\(ear)")
    }
    XCTAssertGreaterThan(rendering.scaling(encoding: .int16, for: preset).attenuation, 0)
    XCTAssertGreaterThan(rendering.scaling(encoding: .float32, for: preset).attenuation, 0)
    XCTAssertEqual(
      rendering.scaling(encoding: .float32, for: preset, keepsScale: true).attenuation, 0)
  }
}
