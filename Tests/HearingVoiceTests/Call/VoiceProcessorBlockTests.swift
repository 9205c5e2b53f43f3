import HearingDSP
import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

final class VoiceProcessorBlockTests: XCTestCase {
  func test_process_anyBlockSizes_giveTheSameBitsAndEvents() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let rates: [Double] = Signals.isSanitized ? [8_000] : [8_000, 11_025, 16_000, 44_100, 48_000]
    for rate in rates {
      let count = Int((Signals.isSanitized ? 2 : 2.4) * rate)
      let quarter = count / 4
      let near = SyntheticVoice.speech(seconds: 0.6 * Double(count) / rate, rate: rate)
      let far = SyntheticVoice.speech(
        seconds: Double(quarter) / rate, rate: rate, seed: 8, pitch: 190)
      var call = TestCall(
        frames: count, microphone: Signals.silence(quarter) + near,
        farVoice: Signals.silence(quarter / 4) + far,
        otherAudio: Signals.noise(count: count, amplitude: 0.02, using: &generator))
      call.changes = [
        (
          0,
          {
            $0.isVoiceActivityDetectionEnabled = true
            $0.otherAudioDucking.enableAdvancedDucking = true
          }
        ),
        (quarter / 2 + 3, { $0.otherAudioDucking.duckingLevel = .mid }),
        (quarter + 7, { $0.isMuted = true }),
        (2 * quarter + 1, { $0.otherAudioDucking.duckingLevel = .max }),
        (3 * quarter + 5, { $0.isMuted = false }),
      ]
      func result(_ blocks: [Int]) throws -> TestCall.Result {
        let listener = try BandGainProcessor(
          spec: ProcessingSpec(sampleRate: rate, channelCount: 2),
          layout: XCTUnwrap(BandLayout.audiometric.limited(to: rate)))
        let gains = listener.layout.centers.indices.map { Double(2 * $0) }
        try listener.apply(ProcessorSettings(gains: [gains, gains.reversed()]))
        let processor = try VoiceProcessor(sampleRate: rate, farProcessor: listener)
        return call.rendered(by: processor, blocks: blocks)
      }
      let whole = try result([count])
      XCTAssertEqual(whole.reported(.mutedTalker).map(\.change), [.started])
      XCTAssertFalse(whole.reported(.farVoice).isEmpty)
      XCTAssertGreaterThanOrEqual(whole.duckingGains.count, 3)
      let random = (0..<40).map { _ in Int.random(in: 1...900, using: &generator) }
      let splits =
        Signals.isSanitized
        ? [[64], [1, 300, 7]] : [[1], [7], [64], [80], [160], [441], [480], [1_024], random]
      for blocks in splits {
        let split = try result(blocks)
        XCTAssertEqual(split.events, whole.events, "\(blocks) at \(rate)")
        XCTAssertEqual(
          Signals.bits(split.uplink), Signals.bits(whole.uplink), "\(blocks) at \(rate)")
        XCTAssertEqual(
          split.playback.map(Signals.bits), whole.playback.map(Signals.bits),
          "\(blocks) at \(rate)")
      }
    }
  }
}
