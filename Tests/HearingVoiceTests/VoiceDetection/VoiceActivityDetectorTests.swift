import HearingDSP
import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

final class VoiceActivityDetectorTests: XCTestCase {
  /// The sample rates of the tests. An unoptimised build is 100 times slower, so it uses only two
  /// sample rates.
  private static let rates: [Double] =
    Signals.isSanitized
    ? [8_000, 11_025] : [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]

  /// Talk in noise at 16 kHz, for several tests.
  private static let talk = talkInNoise(rate: 16_000)

  /// A few seconds of talk in quiet pink noise. For each frame, `truth` says whether it contains
  /// talk.
  private static func talkInNoise(
    rate: Double, level: Float = 65, ratio: Double = 20
  ) -> (samples: [Float], truth: [Bool]) {
    let talk = SyntheticTalk(seconds: 3.5, rate: rate, pitch: 120, seed: 61)
    var generator = SeededGenerator(seed: 62)
    let noise = SyntheticNoise.pink(count: talk.samples.count, rate: rate, using: &generator)
    return (Heard.mixed(talk.samples, noise, ratio: ratio, level: level), talk.truth)
  }

  func test_init_rateOutOfRange_fails() {
    for rate in [0, 7_999, 96_001, .nan, .infinity, -8_000] {
      XCTAssertThrowsError(try { _ = try VoiceActivityDetector(sampleRate: rate) }()) { error in
        guard case VoiceFailure.sampleRateOutOfRange = error else {
          return XCTFail("\(error)")
        }
        XCTAssertTrue("\(error)".hasPrefix("the sample rate must be 8000…96000 Hz, not "))
      }
    }
  }

  func test_process_anySampleRate_decidesExactlyEvery10Milliseconds() throws {
    for rate in Self.rates + [12_345.678] {
      let seconds = Signals.isSanitized ? 0.2 : 60
      let samples = Signals.silence(Int(rate * seconds))
      let frames = try Heard.decisions(on: samples, rate: rate).map(\.frame)
      let expected = (1...).lazy.map { Int64((Double($0) * rate / 100).rounded(.up)) }
      XCTAssertEqual(frames, Array(expected.prefix(frames.count)), "\(rate) Hz")
      XCTAssertEqual(frames.count, Int(Double(samples.count) / rate * 100), "\(rate) Hz")
    }
  }

  func test_process_blocksOfAnySize_giveTheSameDecisions() throws {
    var generator = SeededGenerator(seed: 71)
    for rate in Self.rates {
      let samples = Signals.bursts(
        count: Int(rate * (Signals.isSanitized ? 0.06 : 0.4)), rate: rate, using: &generator)
      let whole = try Heard.decisions(on: samples, rate: rate, blocks: [samples.count])
      XCTAssertFalse(whole.isEmpty)
      for blocks in [[1], [7, 0, 64, 1, 500], [160], [8_192]] {
        XCTAssertEqual(try Heard.decisions(on: samples, rate: rate, blocks: blocks), whole)
      }
    }
  }

  func test_process_talkAtAnySampleRate_isDetected() throws {
    for rate in Self.rates {
      let (samples, truth) = Self.talkInNoise(rate: rate)
      let score = Heard.f1(try Heard.decisions(on: samples, rate: rate), truth: truth)
      print("F1 at \(rate) Hz: \(score)")
      XCTAssertGreaterThan(score, 0.86, "\(rate) Hz")
    }
  }

  func test_process_talkAtAnyLevel_isDetected() throws {
    let (talk, truth) = Self.talk
    for level: Float in Signals.isSanitized ? [45, 85] : [45, 55, 65, 75, 85] {
      let gain = Float(Signals.amplitude(decibels: Double(level - 65)))
      let samples = Signals.scaled(talk, by: gain)
      let score = Heard.f1(try Heard.decisions(on: samples, rate: 16_000), truth: truth)
      print("F1 at \(level) dB SPL: \(score)")
      XCTAssertGreaterThan(score, 0.936, "\(level) dB SPL")
    }
  }

  func test_process_talkWithADCOffset_isDetected() throws {
    let (samples, truth) = Self.talk
    let offset = samples.map { $0 + 0.1 }
    let score = Heard.f1(try Heard.decisions(on: offset, rate: 16_000), truth: truth)
    print("F1 with an offset: \(score)")
    XCTAssertGreaterThan(score, 0.934)
  }

  func test_process_clippedTalk_isDetected() throws {
    let (samples, truth) = Self.talk
    let limit = Signals.peak(samples) / 5
    let clipped = samples.map { max(-limit, min(limit, $0)) }
    let score = Heard.f1(try Heard.decisions(on: clipped, rate: 16_000), truth: truth)
    print("F1 of clipped talk: \(score)")
    XCTAssertGreaterThan(score, 0.936)
  }

  func test_process_talkAfterDigitalSilence_startsWithin100Milliseconds() throws {
    let talk = SyntheticTalk(seconds: 2, rate: 16_000, pitch: 200, seed: 63)
    let samples = Signals.scaled(talk.samples, by: 0.1)
    let decisions = try Heard.decisions(on: samples, rate: 16_000)
    let onset = try XCTUnwrap(talk.truth.firstIndex(of: true))
    let first = try XCTUnwrap(decisions.firstIndex { $0.isVoice })
    XCTAssertGreaterThanOrEqual(first, onset)
    XCTAssertLessThanOrEqual(first, onset + 10)
  }

  func test_process_digitalSilence_isNotVoice() throws {
    for rate in [8_000.0, 44_100] {
      let decisions = try Heard.decisions(on: Signals.silence(Int(rate)), rate: rate)
      XCTAssertFalse(decisions.contains { $0.isVoice })
      XCTAssertTrue(decisions.allSatisfy { $0.level == -120 })
    }
  }

  func test_process_tone_reportsItsLevel() throws {
    let tone = Signals.tone(1_000, level: 70, rate: 48_000, seconds: 0.5)
    let levels = try Heard.decisions(on: tone, rate: 48_000).map(\.level)
    for level in levels.dropFirst(5) { XCTAssertEqual(level, -30, accuracy: 0.2) }
  }

  func test_process_invalidSamples_countAsSilence() throws {
    var samples = Array(Self.talk.samples.prefix(Signals.isSanitized ? 24_000 : .max))
    let hole = 20_000..<21_500
    var silenced = samples
    for index in hole {
      samples[index] = [.nan, .infinity, -.infinity, 1e30, .signalingNaN][index % 5]
      silenced[index] = 0
    }
    XCTAssertEqual(
      try Heard.decisions(on: samples, rate: 16_000),
      try Heard.decisions(on: silenced, rate: 16_000))
  }

  func test_reset_afterTalk_decidesAsIfNew() throws {
    var detector = try VoiceActivityDetector(sampleRate: 22_050)
    let samples = Array(
      Self.talkInNoise(rate: 22_050).samples.prefix(Signals.isSanitized ? 16_000 : 40_000))
    let loud = Signals.scaled(samples, by: 50)
    let new = Heard.decisions(on: samples, by: &detector)
    _ = Heard.decisions(on: loud, by: &detector, blocks: [333])
    detector.reset()
    XCTAssertEqual(Heard.decisions(on: samples, by: &detector), new)
  }
}
