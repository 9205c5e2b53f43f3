import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingDSP

/// Tests all limiters with signals below the ceiling. The outputs of all limiters are equal, but
/// each output is delayed by the look-ahead of its limiter.
final class BandGainProcessorLimiterGainTests: XCTestCase {
  private let rate = 48_000.0

  /// Settings, and the number of frames for which they apply.
  private struct Scene {
    let settings: ProcessorSettings
    let frameCount: Int
  }

  private func settings(_ curves: [[BandCurve]], isEnabled: Bool = true) -> ProcessorSettings {
    ProcessorSettings(
      curves: curves, outputCeiling: 180, allowsOutputAboveFullScale: true, isEnabled: isEnabled,
      channelLinking: 0.3)
  }

  private func scenes() throws -> [(name: String, scenes: [Scene])] {
    let loud = [20.0, 22, 25, 24, 26, 27, 29, 30, 28, 31].map(BandCurve.gain)
    let soft = [-9.0, -9, -12, -8, -7, -6, -6, -3, -9, -9].map(BandCurve.gain)
    let flat = Array(repeating: BandCurve.gain(0), count: 10)
    let (mild, severe) = (try Curves.prescribed(2), try Curves.prescribed(4))
    let linear = settings([loud, soft])
    let other = settings([soft, flat])
    let compressing = settings([mild, severe])
    let mixed = settings([severe, loud])
    func off(_ settings: ProcessorSettings) -> ProcessorSettings {
      var result = settings
      result.isEnabled = false
      return result
    }
    // Each scene consists of whole sub-blocks. A scene that begins with a fade consists of whole
    // windows. Some scenes end during a transition.
    return [
      ("fixed gains", [Scene(settings: linear, frameCount: 6_000)]),
      ("gains that depend on level", [Scene(settings: compressing, frameCount: 6_000)]),
      (
        "other fixed gains",
        [linear, other, linear, settings([flat, flat]), other].map {
          Scene(settings: $0, frameCount: 1_728)
        }
      ),
      (
        "between both kinds",
        [linear, compressing, mixed, other, mixed, compressing, linear].map {
          Scene(settings: $0, frameCount: 1_728)
        }
      ),
      (
        "other settings before the last have come into force",
        [linear, compressing, other, mixed, linear].map {
          Scene(settings: $0, frameCount: 336)
        } + [Scene(settings: compressing, frameCount: 3_000)]
      ),
      (
        "disabled and enabled",
        [linear, off(linear), compressing, off(mixed), mixed, off(other), linear].map {
          Scene(settings: $0, frameCount: 1_728)
        }
      ),
    ]
  }

  /// Renders all scenes, one after another, and returns the output. If `fades` is false, processing
  /// is enabled in all scenes.
  private func rendered(
    _ scenes: [Scene], _ sound: [[Float]], _ limiter: LimiterConfiguration, fades: Bool = true
  ) throws -> [[Float]] {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: 2), limiter: limiter)
    var output = [[Float](), []]
    for scene in scenes {
      var settings = scene.settings
      if !fades { settings.isEnabled = true }
      try processor.apply(settings)
      let start = output[0].count
      let part = processor.rendered(
        sound.map { Array($0[start..<start + scene.frameCount]) }, blocks: [64, 1, 700])
      for channel in 0..<2 { output[channel] += part[channel] }
    }
    XCTAssertEqual(processor.levels.channels[0].limitedFrameCount, 0)
    return output
  }

  func test_process_farBelowTheCeiling_everyLimiterGivesTheSameGain() throws {
    var generator = SeededGenerator(seed: 34)
    for (name, scenes) in try scenes().suffix(Signals.isSanitized ? 1 : 6) {
      let count = scenes.reduce(0) { $0 + $1.frameCount }
      let sound = (0..<2).map { _ in
        Signals.noise(count: count, amplitude: 0.01, using: &generator)
      }
      let plain = try rendered(scenes, sound, LimiterConfiguration())
      let always = try rendered(scenes, sound, LimiterConfiguration(), fades: false)
      for (kind, limiter) in Limiters.affordable {
        let output = try rendered(scenes, sound, limiter)
        let delay = limiter.latency(sampleRate: rate)
        let expected =
          delay == 0
          ? plain
          : (0..<2).map { channel in
            faded(
              scenes, Signals.delayed(sound[channel], by: delay),
              Signals.delayed(always[channel], by: delay))
          }
        for channel in 0..<2 {
          let place = zip(output[channel], expected[channel]).enumerated().first {
            $1.0.bitPattern != $1.1.bitPattern
          }
          XCTAssertNil(place, "\(name), \(kind), channel \(channel)")
        }
      }
    }
  }

  /// Mixes the unprocessed samples `dry` with the processed samples `wet`. The cross-fades are
  /// those of `scenes`.
  private func faded(_ scenes: [Scene], _ dry: [Float], _ wet: [Float]) -> [Float] {
    let full = RenderTiming(sampleRate: rate).fadeFrames
    let curve = CrossFade(length: full).raisedCosineIntegral
    var place = scenes[0].settings.isEnabled ? full : 0
    var result = [Float]()
    for scene in scenes {
      let isEnabled = scene.settings.isEnabled
      for _ in 0..<scene.frameCount {
        // Each scene begins at the start of a sub-block. Therefore its settings become active at
        // its first frame.
        place = isEnabled ? min(place + 1, full) : max(place - 1, 0)
        let index = result.count
        switch place {
        case 0: result.append(dry[index])
        case full: result.append(wet[index])
        default: result.append(dry[index] + curve[place] * (wet[index] - dry[index]))
        }
      }
    }
    return result
  }

  func test_process_fixedOrLevelDependentGains_usesTheBroadbandGain() throws {
    // The test above is only valid if the processor uses the broadband gain. This test checks that.
    for (_, scenes) in try scenes().prefix(2) {
      let processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: rate, channelCount: 2))
      try processor.apply(scenes[0].settings)
      var generator = SeededGenerator(seed: 35)
      let noise = Signals.noise(count: 4_800, amplitude: 0.01, using: &generator)
      _ = processor.rendered([noise, noise])
      for channel in 0..<2 {
        let broadband = processor.kernel[0].gain.amplitude(channel)
        XCTAssertGreaterThan(abs(Signals.decibels(Double(broadband))), 3)
      }
    }
  }
}
