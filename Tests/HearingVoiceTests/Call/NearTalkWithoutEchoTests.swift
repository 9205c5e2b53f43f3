import Foundation
import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

/// Tests that near talk passes while playback causes no echo in the microphone, as with headphones.
///
/// A near frame has 10 ms and a level above −45 dB. It is lost if its level in the uplink is more
/// than 10 dB lower.
final class NearTalkWithoutEchoTests: XCTestCase {
  private let rate = 16_000.0
  private let frames = 160_000

  override func setUpWithError() throws {
    try XCTSkipIf(Signals.isSanitized, "long sounds take too long with a sanitizer")
  }

  /// The fraction of near frames that are lost, 0…1.
  private func lost(near: [Float], far: [Float]) throws -> Double {
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.microphoneMode = MicrophoneMode(cancelsEcho: true, suppressesResidualEcho: true)
    let uplink = TestCall(frames: frames, microphone: near, farVoice: far)
      .rendered(by: processor).uplink
    let (latency, frame) = (processor.uplinkLatency, 160)
    var (loud, lost) = (0, 0)
    for start in stride(from: 0, to: frames - latency - frame, by: frame) {
      let came = Signals.power(near[start..<start + frame])
      guard came > pow(10, -4.5) else { continue }
      loud += 1
      let left = Signals.power(uplink[start + latency..<start + latency + frame])
      if left < 0.1 * came { lost += 1 }
    }
    XCTAssertGreaterThan(loud, 200)
    return Double(lost) / Double(max(1, loud))
  }

  func test_talkOnBothSidesFromTheFirstFrame_losesAtMost2PercentOfNearTalk() throws {
    let near = try RecordedTalk.samples(frames)
    for (seed, pitch) in [(41, 110.0), (42, 190), (43, 230)] as [(UInt64, Double)] {
      let far = SyntheticVoice.speech(seconds: 10, rate: rate, seed: seed, pitch: pitch)
      let fraction = try lost(near: near, far: far)
      print("talk on both sides, seed \(seed): \(100 * fraction) % lost")
      XCTAssertLessThanOrEqual(fraction, 0.02, "seed \(seed)")
    }
  }

  func test_steadyPlayback_losesAtMost2PercentOfNearTalk() throws {
    let near = try RecordedTalk.samples(frames)
    var generator = SeededGenerator(seed: 44)
    let noise = Signals.noise(count: frames, amplitude: 0.03, using: &generator)
    let tone = Signals.sine(220, rate: rate, count: frames, amplitude: 0.1)
    for (name, far) in [("noise", noise), ("tone", tone)] {
      let fraction = try lost(near: near, far: far)
      print("steady playback, \(name): \(100 * fraction) % lost")
      XCTAssertLessThanOrEqual(fraction, 0.02, name)
    }
  }

  func test_nearTalkThatBeginsDuringFarTalk_losesAtMost2PercentOfItsFrames() throws {
    let near = Signals.silence(64_000) + (try RecordedTalk.samples(frames).prefix(frames - 64_000))
    let far = SyntheticVoice.speech(seconds: 10, rate: rate, seed: 45, pitch: 150)
    let fraction = try lost(near: near, far: far)
    print("near talk joins: \(100 * fraction) % lost")
    XCTAssertLessThanOrEqual(fraction, 0.02)
  }
}
