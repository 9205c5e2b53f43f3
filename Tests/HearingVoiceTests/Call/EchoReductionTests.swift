import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

/// Tests how much echo remains while only the far end talks. Residual echo suppression is on.
final class EchoReductionTests: XCTestCase {
  private let rate = 16_000.0

  override func setUpWithError() throws {
    try XCTSkipIf(Signals.isSanitized, "long sounds take too long with a sanitizer")
  }

  /// The reduction of the microphone level in dB. There is one result for each range, which is in
  /// seconds.
  private func reductions(
    microphone: [Float], far: [Float], _ ranges: [Range<Double>]
  ) throws -> [Double] {
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.microphoneMode = MicrophoneMode(cancelsEcho: true, suppressesResidualEcho: true)
    let uplink = TestCall(frames: far.count, microphone: microphone, farVoice: far)
      .rendered(by: processor).uplink
    return ranges.map { range in
      let (start, end) = (Int(range.lowerBound * rate), Int(range.upperBound * rate))
      let left = Signals.power(Array(uplink[start..<end])) + 1e-20
      return 10 * log10(Signals.power(Array(microphone[start..<end])) / left)
    }
  }

  /// The linear filter alone reduces this echo by less than 40 dB.
  func test_echoOfFarTalkAlone_after1Second_isReducedByMoreThan45Decibels() throws {
    for seed in 51...54 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let scene = EchoScene(rate: rate, seconds: 20, talk: 0..<0, using: &generator)
      let found = try reductions(
        microphone: scene.microphone, far: scene.far, [0..<1, 1..<5, 15..<20])
      let (start, early, late) = (found[0], found[1], found[2])
      print("echo, seed \(seed): \(start) dB at 0–1 s, \(early) at 1–5 s, \(late) at 15–20 s")
      XCTAssertGreaterThan(early, 45, "seed \(seed)")
      XCTAssertGreaterThan(late, 60, "seed \(seed)")
    }
  }

  /// The DC offset of the microphone is as loud as the echo. Modes that remove rumble also remove
  /// the offset. They do this before they estimate the echo.
  func test_microphoneWithDCOffset_inStandardMode_echoIsReducedByMoreThan45Decibels() throws {
    var generator = SeededGenerator(seed: 55)
    let scene = EchoScene(rate: rate, seconds: 6, talk: 0..<0, using: &generator)
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.microphoneMode = .standard
    let uplink = TestCall(
      frames: scene.far.count, microphone: scene.microphone.map { $0 + 0.05 }, farVoice: scene.far
    ).rendered(by: processor).uplink
    let heard = Signals.power(Array(scene.microphone[32_000..<96_000]))
    let left = Signals.power(Array(uplink[32_000..<96_000]))
    print("with DC offset: \(10 * log10(heard / left)) dB")
    XCTAssertGreaterThan(10 * log10(heard / left), 45)
  }

  /// The rumble is as loud as the echo, and this mode does not remove the rumble. The test computes
  /// the differences of neighbouring samples. They contain hardly any rumble.
  func test_microphoneWithRumble_echoIsReducedByMoreThan48DecibelsOnAverage() throws {
    var reductions: [Double] = []
    for seed in 58...60 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let scene = EchoScene(rate: rate, seconds: 8, talk: 0..<0, using: &generator)
      let rumble = Signals.sine(20, rate: rate, count: scene.far.count, amplitude: 0.07)
      let processor = try VoiceProcessor(sampleRate: rate)
      processor.microphoneMode = MicrophoneMode(cancelsEcho: true, suppressesResidualEcho: true)
      let uplink = TestCall(
        frames: scene.far.count, microphone: Signals.sum(scene.microphone, rumble),
        farVoice: scene.far
      ).rendered(by: processor).uplink
      func power(_ samples: [Float]) -> Double {
        let part = samples[64_000..<128_000]
        return Signals.power(zip(part, part.dropFirst()).map { $1 - $0 })
      }
      reductions.append(10 * log10(power(scene.microphone) / power(uplink)))
    }
    print("with rumble, seeds 58…60: \(reductions) dB")
    XCTAssertGreaterThan(reductions.reduce(0, +) / 3, 48)
  }

  /// A mute switch at the microphone makes the microphone deliver zeros for 4 s.
  func test_microphoneSwitchedOffFor4Seconds_whenOnAgain_echoIsReducedImmediately() throws {
    for seed in 56...57 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let scene = EchoScene(rate: rate, seconds: 12, talk: 0..<0, using: &generator)
      var microphone = scene.microphone
      for index in 80_000..<144_000 { microphone[index] = 0 }
      let found = try reductions(microphone: microphone, far: scene.far, [4..<5, 9..<9.5])
      print("switched off, seed \(seed): \(found[0]) dB before, \(found[1]) dB after")
      XCTAssertGreaterThan(found[1], 15, "seed \(seed)")
    }
  }

  /// The far voice, its echo from a rattling loudspeaker, and noise. The echo has two parts: noise
  /// with the envelope of the far voice, and a soft part without distortion. A linear filter can
  /// estimate only the soft part.
  private func rattling(seed: UInt64) throws -> (far: [Float], echo: [Float], noise: [Float]) {
    var generator = SeededGenerator(seed: seed)
    let far = try RecordedTalk.samples(Int(20 * rate))
    let response = EchoScene.room(rate: rate, delay: 0, reverberation: 0.3, using: &generator)
    let distorted = far.map { 0.3 * $0 + $0 * Float.random(in: -1...1, using: &generator) }
    let noise = Signals.noise(count: far.count, amplitude: 1e-5, using: &generator)
    return (far, EchoScene.convolved(distorted, response), noise)
  }

  func test_echoOfARattlingLoudspeaker_after10Seconds_isReducedByMoreThan9Decibels() throws {
    for seed in 61...64 as ClosedRange<UInt64> {
      let (far, echo, noise) = try rattling(seed: seed)
      let found = try reductions(
        microphone: Signals.sum(echo, noise), far: far, [0..<4, 10..<20])
      print("rattling, seed \(seed): \(found[0]) dB at 0–4 s, \(found[1]) at 10–20 s")
      XCTAssertGreaterThan(found[1], 9.5, "seed \(seed)")
    }
  }

  /// The far talker stops at 13 s. After that, the far end sends only comfort noise. The near
  /// talker talks from 13.3 s on.
  func test_nearTalk_afterTheEchoOfARattlingLoudspeaker_losesLessThanHalfADecibel() throws {
    for seed in 61...64 as ClosedRange<UInt64> {
      var (far, echo, noise) = try rattling(seed: seed)
      let (end, start) = (Int(13 * rate), Int(13.3 * rate))
      var generator = SeededGenerator(seed: seed)
      let comfort = Signals.noise(count: far.count, amplitude: 3e-4, using: &generator)
      far.replaceSubrange(end..., with: comfort[end...])
      for index in end..<echo.count { echo[index] = 0.3 * comfort[index] }
      echo.replaceSubrange(start..., with: try RecordedTalk.samples(echo.count - start))
      let loss = try reductions(
        microphone: Signals.sum(echo, noise), far: far, [14..<20])[0]
      print("near talk after rattling, seed \(seed): \(loss) dB lost")
      XCTAssertLessThan(loss, 0.5, "seed \(seed)")
    }
  }
}
