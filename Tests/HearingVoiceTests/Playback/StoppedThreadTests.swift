import Foundation
import HearingDSP
import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

/// A host has two threads, and one of them stops while somebody talks. Tests the reports and the
/// playback after that.
final class StoppedThreadTests: XCTestCase {
  private let rate = 16_000.0
  private let voice = SyntheticVoice.speech(seconds: 6, rate: 16_000, level: 0.1)
  private let silence = Signals.silence(160)

  /// The block with this number. Each block contains 10 ms of the voice.
  private func talk(_ number: Int) -> ArraySlice<Float> {
    voice[number * 160..<(number + 1) * 160]
  }

  override func setUpWithError() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
  }

  func test_ducking_captureStopsWhileSomebodyTalks_returnsToTheIdleGain() throws {
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.otherAudioDucking = .init(enableAdvancedDucking: true, duckingLevel: .max)
    var gain: Float = 1
    for number in 0..<200 {
      gain = processor.render(farVoice: silence, otherAudio: 0.1)[0] / 0.1
      processor.capture(microphone: talk(number))
    }
    XCTAssertEqual(20 * log10(gain), -20, accuracy: 0.1)
    for _ in 0..<400 { gain = processor.render(farVoice: silence, otherAudio: 0.1)[0] / 0.1 }
    XCTAssertEqual(20 * log10(gain), -5, accuracy: 0.1)
  }

  func test_farVoice_renderingStopsWhileTheFarEndTalks_isReportedAsEnded() throws {
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.isVoiceActivityDetectionEnabled = true
    for number in 0..<200 {
      processor.render(farVoice: talk(number))
      processor.capture(microphone: silence)
    }
    XCTAssertTrue(processor.isVoiceActive(.far))
    _ = processor.events.drain()
    for _ in 0..<200 { processor.capture(microphone: silence) }
    XCTAssertFalse(processor.isVoiceActive(.far))
    XCTAssertEqual(
      processor.events.drain().filter { $0.kind == .farVoice }.map(\.voiceChange), [.ended])
  }
}
