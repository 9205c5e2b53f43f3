import HearingDSP
import HearingFitting
import HearingProcessing
import XCTest

@testable import HearingAudio

/// Tests how an audio unit prepares its input: conversion from mono to stereo, and headroom.
final class EffectInputTests: XCTestCase {
  /// Two channels of samples. The tests process them in slices of several frames.
  private final class Channels {
    let rows: [UnsafeMutablePointer<Float>]
    let count: Int

    init(_ samples: [[Float]]) {
      count = samples[0].count
      rows = samples.map { samples in
        let row = UnsafeMutablePointer<Float>.allocate(capacity: samples.count)
        row.initialize(from: samples, count: samples.count)
        return row
      }
    }

    deinit { for row in rows { row.deallocate() } }

    func samples(_ channel: Int) -> [Float] {
      Array(UnsafeBufferPointer(start: rows[channel], count: count))
    }
  }

  private let ramp = (0..<64).map { Float($0) / 64 }

  func test_process_monoInput_isCopiedToBothChannels() {
    let channels = Channels([ramp, .init(repeating: .nan, count: 64)])
    var input = EffectInput()
    input.process(channelCount: 2, inputChannelCount: 1, frameCount: 64) { channels.rows[$0] }
    XCTAssertEqual(channels.samples(0), ramp)
    XCTAssertEqual(channels.samples(1), ramp)
  }

  func test_process_stereoInputWithoutHeadroom_isUnchanged() {
    let right = ramp.map { -$0 }
    let channels = Channels([ramp, right])
    var input = EffectInput()
    input.process(channelCount: 2, inputChannelCount: 2, frameCount: 64) { channels.rows[$0] }
    XCTAssertEqual(channels.samples(0), ramp)
    XCTAssertEqual(channels.samples(1), right)
  }

  func test_headroom_attenuatesEveryChannelOnce() {
    for inputChannelCount in 1...2 {
      let channels = Channels([ramp, ramp])
      var input = EffectInput(headroom: 20)
      input.process(channelCount: 2, inputChannelCount: inputChannelCount, frameCount: 64) {
        channels.rows[$0]
      }
      for channel in 0..<2 {
        for (sample, original) in zip(channels.samples(channel), ramp) {
          XCTAssertEqual(sample, original / 10, accuracy: 1e-6)
        }
      }
    }
  }

  func test_setHeadroom_rampsTheGainWithinOneSlice_thenKeepsIt() {
    var input = EffectInput(headroom: 0)
    input.setHeadroom(20)
    let ones = [Float](repeating: 1, count: 64)
    let first = Channels([ones])
    input.process(channelCount: 1, inputChannelCount: 1, frameCount: 0) { first.rows[$0] }
    input.process(channelCount: 1, inputChannelCount: 1, frameCount: 64) { first.rows[$0] }
    let ramped = first.samples(0)
    XCTAssertEqual(ramped[0], 1 - 0.9 / 64, accuracy: 1e-5)
    XCTAssertEqual(ramped[63], 0.1, accuracy: 1e-5)
    XCTAssertLessThan(zip(ramped, ramped.dropFirst()).map { abs($0 - $1) }.max() ?? 1, 0.015)
    let second = Channels([ones])
    input.process(channelCount: 1, inputChannelCount: 1, frameCount: 64) { second.rows[$0] }
    XCTAssertEqual(second.samples(0), [Float](repeating: second.samples(0)[0], count: 64))
    XCTAssertEqual(second.samples(0)[0], 0.1, accuracy: 1e-6)
  }

  func test_supported_headroomThatIsNotANumber_isZero() {
    XCTAssertEqual(EffectInput.supported(.nan), 0)
  }

  func test_init_headroomOutOfRange_isClamped() {
    for (headroom, factor) in [(-6.0, Float(1)), (100, 0.0630957)] {
      let channels = Channels([[1]])
      var input = EffectInput(headroom: headroom)
      input.process(channelCount: 1, inputChannelCount: 1, frameCount: 1) { channels.rows[$0] }
      XCTAssertEqual(channels.samples(0)[0], factor, accuracy: 1e-6)
    }
  }

  func test_process_monoInputAndAsymmetricLoss_givesEachEarItsOwnGain() async throws {
    let controller = ProcessingController()
    let profile = HearingProfile(left: .n1, right: .n5)
    let session = try controller.activate(
      presetDataSource: .default(
        DefaultPresetDataSource(fitting: Fitting(techLevel: 3, rule: .nalR), profile: profile)))
    _ = try await session.preset.reload().get()
    session.isEnabled.apply(true)
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2), layout: .audiometric)
    let binding = session.bind(to: processor)
    let tone = (0..<48_000).map { 0.001 * Float(sin(2 * .pi * Double($0) / 48)) }
    let channels = Channels([tone, .init(repeating: 0, count: 48_000)])
    var input = EffectInput()
    input.process(channelCount: 2, inputChannelCount: 1, frameCount: 48_000) { channels.rows[$0] }
    channels.rows.withUnsafeBufferPointer { rows in
      guard let start = rows.baseAddress else { return }
      processor.process(start, frameCount: 48_000)
    }
    let gains = (0..<2).map { channel in
      20 * log10((channels.samples(channel).suffix(4_800).max() ?? 0) / 0.001)
    }
    XCTAssertGreaterThan(gains[1], gains[0] + 15, "gains \(gains)")
    withExtendedLifetime(binding) {}
  }

  func test_setHeadroom_onACalibratedRoute_doesNotChangeTheMeasuredInputLevels() async throws {
    var levels: [Double] = []
    for headroom in [0.0, 8] {
      let session = try ProcessingController().activate(
        presetDataSource: .default(
          DefaultPresetDataSource(
            fitting: .techLevel(3), profile: HearingProfile(left: .n3, right: .n3))))
      _ = try await session.preset.reload().get()
      session.isEnabled.apply(true)
      let processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2), layout: .audiometric)
      let binding = session.bind(to: processor)
      binding.setHeadroom(headroom)
      RouteFollower(session).enter(AudioRoute(.wired, calibration: Calibration(fullScaleSPL: 90)))
      XCTAssertEqual(binding.calibration.fullScaleSPL, 90)
      let tone = (0..<48_000).map { 0.01 * Float(sin(2 * .pi * Double($0) / 48)) }
      let channels = Channels([tone, tone])
      var input = EffectInput(headroom: headroom)
      input.process(channelCount: 2, inputChannelCount: 2, frameCount: 48_000) { channels.rows[$0] }
      channels.rows.withUnsafeBufferPointer { rows in
        guard let start = rows.baseAddress else { return }
        processor.process(start, frameCount: 48_000)
      }
      let band = try XCTUnwrap(processor.layout.centers.firstIndex(of: 1_000))
      levels.append(try XCTUnwrap(processor.levels.channels[0].inputLevels)[band])
    }
    XCTAssertEqual(levels[0], 47, accuracy: 1)
    XCTAssertEqual(levels[1], levels[0], accuracy: 0.1)
  }
}
