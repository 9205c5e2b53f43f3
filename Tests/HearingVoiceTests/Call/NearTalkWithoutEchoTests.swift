import Foundation
import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

/// With headphones, playback causes no echo in the microphone. Tests that near-end talk passes
/// during such playback.
///
/// A near frame is 10 ms of near-end talk with a level above −45 dB. The frame is lost if its level
/// in the uplink is more than 10 dB lower. The documentation of echo cancellation says that 0 %
/// (rounded) of such frames are lost.
final class NearTalkWithoutEchoTests: XCTestCase {
  private let rate = 16_000.0
  private let frames = 160_000

  override func setUpWithError() throws {
    try XCTSkipIf(Signals.isSanitized, "long sounds take too long with a sanitizer")
  }

  /// The ratio of near frames that are lost (0…1), and the gain of all near frames in dB.
  private func result(near: [Float], far: [Float]) throws -> (lost: Double, gain: Double) {
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.microphoneMode = MicrophoneMode(cancelsEcho: true, suppressesResidualEcho: true)
    let uplink = TestCall(frames: frames, microphone: near, farVoice: far)
      .rendered(by: processor).uplink
    let (latency, frame) = (processor.uplinkLatency, 160)
    var (loud, lost) = (0, 0)
    var (before, after) = (0.0, 0.0)
    for start in stride(from: 0, to: frames - latency - frame, by: frame) {
      let came = Signals.power(near[start..<start + frame])
      guard came > pow(10, -4.5) else { continue }
      loud += 1
      let left = Signals.power(uplink[start + latency..<start + latency + frame])
      if left < 0.1 * came { lost += 1 }
      (before, after) = (before + came, after + left)
    }
    XCTAssertGreaterThan(loud, 200)
    return (Double(lost) / Double(max(1, loud)), 10 * log10((after + 1e-20) / before))
  }

  /// Near-end talk passes if at most 0.5 % of its frames are lost and its level falls by at most
  /// 0.3 dB.
  private func assertPasses(
    near: [Float], far: [Float], _ name: String, line: UInt = #line
  ) throws {
    let (lost, gain) = try result(near: near, far: far)
    print("\(name): \(100 * lost) % lost, gain \(gain) dB")
    XCTAssertLessThanOrEqual(lost, 0.005, name, line: line)
    XCTAssertEqual(gain, 0, accuracy: 0.3, name, line: line)
  }

  func test_talkOnBothSidesFromTheFirstFrame_losesAlmostNoNearTalk_andKeepsItsLevel() throws {
    let near = try RecordedTalk.samples(frames)
    for (seed, pitch) in [(41, 110.0), (42, 190), (43, 230)] as [(UInt64, Double)] {
      let far = SyntheticVoice.speech(seconds: 10, rate: rate, seed: seed, pitch: pitch)
      try assertPasses(near: near, far: far, "talk on both sides, seed \(seed)")
    }
  }

  func test_steadyPlayback_losesAlmostNoNearTalk_andKeepsItsLevel() throws {
    let near = try RecordedTalk.samples(frames)
    var generator = SeededGenerator(seed: 44)
    let noise = Signals.noise(count: frames, amplitude: 0.03, using: &generator)
    let tone = Signals.sine(220, rate: rate, count: frames, amplitude: 0.1)
    try assertPasses(near: near, far: noise, "steady playback, noise")
    try assertPasses(near: near, far: tone, "steady playback, tone")
  }

  func test_nearTalkThatBeginsDuringFarTalk_losesAlmostNoFrames_andKeepsItsLevel() throws {
    let near = Signals.silence(64_000) + (try RecordedTalk.samples(frames).prefix(frames - 64_000))
    let far = SyntheticVoice.speech(seconds: 10, rate: rate, seed: 45, pitch: 150)
    try assertPasses(near: near, far: far, "near talk joins")
  }
}
