import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

/// Tests how much echo remains while only the far end talks. Residual echo suppression is on.
final class EchoReductionTests: XCTestCase {
  private let rate = 16_000.0

  func test_farTalkAlone_isReduced() throws {
    try XCTSkipIf(Signals.isSanitized, "long sounds take too long with a sanitizer")
    for seed in 51...54 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let scene = EchoScene(rate: rate, seconds: 20, talk: 0..<0, using: &generator)
      let processor = try VoiceProcessor(sampleRate: rate)
      processor.microphoneMode = MicrophoneMode(cancelsEcho: true, suppressesResidualEcho: true)
      let uplink = TestCall(
        frames: scene.far.count, microphone: scene.microphone, farVoice: scene.far
      ).rendered(by: processor).uplink
      func reduction(_ from: Double, _ to: Double) -> Double {
        let (start, end) = (Int(from * rate), Int(to * rate))
        let left = Signals.power(Array(uplink[start..<end])) + 1e-20
        return 10 * log10(Signals.power(Array(scene.microphone[start..<end])) / left)
      }
      let (start, early, late) = (reduction(0, 1), reduction(1, 5), reduction(15, 20))
      print("echo, seed \(seed): \(start) dB at 0–1 s, \(early) at 1–5 s, \(late) at 15–20 s")
      XCTAssertGreaterThan(late, 25, "seed \(seed)")
    }
  }
}
