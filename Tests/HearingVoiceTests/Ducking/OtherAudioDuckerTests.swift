import HearingDSP
import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

final class OtherAudioDuckerTests: XCTestCase {
  typealias Configuration = OtherAudioDuckingConfiguration

  private let rates: [Double] =
    Signals.isSanitized ? [16_000] : [8_000, 16_000, 44_100, 48_000, 96_000]

  private func ducker(
    rate: Double = 16_000, channels: Int = 1, _ configuration: Configuration = .init()
  ) throws -> OtherAudioDucker {
    try OtherAudioDucker(
      spec: ProcessingSpec(sampleRate: rate, channelCount: channels), configuration: configuration)
  }

  /// The ducking gain in dB of each frame. It is measured with constant input.
  private func heard(_ ducker: inout OtherAudioDucker, frames: Int) -> [Double] {
    ducker.rendered([Array(repeating: 1, count: frames)])[0].map { Signals.decibels(Double($0)) }
  }

  func test_process_lowersSoundByTheConfiguredAmount_fromTheFirstFrame() throws {
    let amounts: [(Configuration.Level, Double)] = [
      (.min, 3), (.default, 10), (.mid, 14), (.max, 20),
    ]
    for rate in rates {
      let tone = Signals.sine(1_000, rate: rate, count: 2_000)
      for (level, amount) in amounts {
        for (isAdvanced, isTalking, expected) in [
          (false, false, amount), (false, true, amount), (true, true, amount),
          (true, false, amount / 4),
        ] {
          var ducker = try ducker(
            rate: rate, Configuration(enableAdvancedDucking: isAdvanced, duckingLevel: level))
          ducker.isSomebodyTalking = isTalking
          let output = ducker.rendered([tone])[0]
          for (sample, input) in zip(output, tone) {
            XCTAssertEqual(
              Double(sample), Double(input) * pow(10, -expected / 20), accuracy: 1e-7)
          }
          XCTAssertEqual(ducker.gain, -Float(expected))
          XCTAssertEqual(ducker.targetGain, -Float(expected))
        }
      }
    }
  }

  func test_process_whenTalkStarts_reachesTheTargetAfter50Milliseconds() throws {
    for rate in rates {
      var ducker = try ducker(
        rate: rate, Configuration(enableAdvancedDucking: true, duckingLevel: .max))
      _ = heard(&ducker, frames: Int(rate / 10))
      ducker.isSomebodyTalking = true
      let gains = heard(&ducker, frames: Int(rate / 10))
      // The ducker may apply the change one step of 16 frames later.
      let step = 16 / rate
      XCTAssertEqual(gains[Int((0.025 + step / 2) * rate)], -12.5, accuracy: 1, "\(rate)")
      XCTAssertGreaterThan(gains[Int(0.045 * rate)], -19.99, "\(rate)")
      XCTAssertEqual(gains[Int((0.050 + 2 * step) * rate)], -20, accuracy: 0.001, "\(rate)")
      XCTAssertTrue(zip(gains, gains.dropFirst()).allSatisfy { $0 >= $1 - 1e-5 })
    }
  }

  func test_process_whenTalkEnds_holdsFor400Milliseconds_thenRecoversIn800Milliseconds() throws {
    for rate in rates {
      var ducker = try ducker(
        rate: rate, Configuration(enableAdvancedDucking: true, duckingLevel: .max))
      ducker.isSomebodyTalking = true
      _ = heard(&ducker, frames: Int(rate / 10))
      ducker.isSomebodyTalking = false
      let gains = heard(&ducker, frames: Int(rate * 1.3))
      let isAt = { (seconds: Double) in gains[Int(seconds * rate)] }
      let step = 16 / rate
      XCTAssertEqual(isAt(0.400 - step), -20, accuracy: 0.001)
      XCTAssertGreaterThan(isAt(0.420), -19.999)
      XCTAssertEqual(isAt(0.8), -12.5, accuracy: 0.1)
      XCTAssertLessThan(isAt(1.180), -5.01)
      XCTAssertEqual(isAt(1.200 + 3 * step), -5, accuracy: 0.001)
      XCTAssertTrue(zip(gains, gains.dropFirst()).allSatisfy { $0 <= $1 + 1e-5 })
    }
  }

  func test_process_talkThatResumesWithinTheHoldTime_keepsTheGain() throws {
    var ducker = try ducker(Configuration(enableAdvancedDucking: true))
    ducker.isSomebodyTalking = true
    var gains = heard(&ducker, frames: 1_600)
    for _ in 0..<4 {
      ducker.isSomebodyTalking = false
      gains += heard(&ducker, frames: 6_380)
      ducker.isSomebodyTalking = true
      gains += heard(&ducker, frames: 160)
    }
    XCTAssertTrue(gains.allSatisfy { abs($0 + 10) < 0.001 })
  }

  func test_process_talkDuringTheRelease_lowersTheGainFromItsCurrentValue() throws {
    var ducker = try ducker(Configuration(enableAdvancedDucking: true))
    ducker.isSomebodyTalking = true
    _ = heard(&ducker, frames: 160)
    ducker.isSomebodyTalking = false
    let up = try XCTUnwrap(heard(&ducker, frames: 16_000 * 8 / 10).last)
    XCTAssertEqual(up, -6.25, accuracy: 0.1)
    ducker.isSomebodyTalking = true
    let gains = heard(&ducker, frames: 840)
    XCTAssertEqual(gains[0], up, accuracy: 0.01)
    XCTAssertEqual(try XCTUnwrap(gains.last), -10, accuracy: 0.001)
  }

  /// Tests that the gain reaches its new target after every change between two configurations, with
  /// and without talk.
  func test_configuration_changedToAnyOther_reachesTheNewTargetGain() throws {
    let all = [false, true].flatMap { isAdvanced in
      Configuration.Level.allCases.map {
        Configuration(enableAdvancedDucking: isAdvanced, duckingLevel: $0)
      }
    }
    for isTalking in [false, true] {
      for before in all {
        for after in all {
          var ducker = try ducker(rate: 8_000, before)
          ducker.isSomebodyTalking = isTalking
          _ = heard(&ducker, frames: 16)
          let start = Double(ducker.gain)
          ducker.configuration = after
          let gains = heard(&ducker, frames: 6_500)
          let end = -after.amount(whileSomebodyTalks: isTalking)
          XCTAssertEqual(try XCTUnwrap(gains.last), end, accuracy: 0.001)
          XCTAssertEqual(gains[0], start, accuracy: 0.01)
          // At the end of talk, the gain stays low for a hold time. After a change of the
          // configuration, there is no hold time.
          if end > start { XCTAssertGreaterThan(gains[800], start + 0.01) }
          if end < start { XCTAssertEqual(gains[420], end, accuracy: 0.001) }
        }
      }
    }
  }

  func test_configuration_levelOrAdvancedChanged_keepsTheOtherSetting() throws {
    var ducker = try ducker(Configuration(enableAdvancedDucking: true, duckingLevel: .min))
    _ = heard(&ducker, frames: 100)
    ducker.configuration.duckingLevel = .max
    _ = heard(&ducker, frames: 100)
    XCTAssertEqual(ducker.targetGain, -5)
    ducker.configuration.enableAdvancedDucking = false
    _ = heard(&ducker, frames: 100)
    XCTAssertEqual(ducker.targetGain, -20)
    ducker.configuration.duckingLevel = .mid
    _ = heard(&ducker, frames: 100)
    XCTAssertEqual(ducker.targetGain, -14)
    ducker.configuration.enableAdvancedDucking = true
    _ = heard(&ducker, frames: 100)
    XCTAssertEqual(ducker.targetGain, -3.5)
  }

  func test_process_changesOfTalkAndLevel_makeNoClick() throws {
    guard !Signals.isSanitized else {
      throw XCTSkip("two seconds of sound take too long with a sanitizer")
    }
    for rate in rates {
      let tone = Signals.sine(1_000, rate: rate, count: Int(2 * rate))
      // Each element is the time in seconds between two changes. With 10 s, there is only one
      // change. With the other times, a change may occur during the transition of the previous
      // change.
      for pause in [10.0, 0.3, 0.1, 0.03, 0.01] {
        for start in [0, 1] {
          var ducker = try ducker(
            rate: rate, Configuration(enableAdvancedDucking: true, duckingLevel: .max))
          ducker.isSomebodyTalking = start == 0
          var output: [Float] = []
          var frame = 0
          var changes = start
          while frame < tone.count {
            // The first change occurs one second after the start.
            let next = min(tone.count, Int(rate + Double(changes - start) * pause * rate))
            output += ducker.rendered([Array(tone[frame..<next])])[0]
            frame = next
            changes += 1
            ducker.isSomebodyTalking = changes % 2 == 0
            // After a change of the configuration, there is no hold time. Therefore the gain
            // changes in both directions in this test.
            ducker.configuration = Configuration(
              enableAdvancedDucking: true, duckingLevel: changes % 2 == 0 ? .max : .min)
          }
          let energy = Spectrum.splatter(output, rate: rate)
          print("changes every \(pause) s at \(rate): \(energy) dB outside 700–1400 Hz")
          XCTAssertLessThan(energy, -94, "every \(pause) s at \(rate)")
        }
      }
    }
  }

  func test_process_anyBlockSizes_giveTheSameBits() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for rate in rates {
      let count = Signals.isSanitized ? 6_000 : 60_000
      let noise = (0..<2).map { _ in Signals.noise(count: count, using: &generator) }
      let cuts = [0, count / 9 + 3, count / 3, count * 2 / 3 + 7, count]
      func rendered(_ blocks: [Int]) throws -> [[Float]] {
        var ducker = try ducker(rate: rate, channels: 2, .init(enableAdvancedDucking: true))
        var result: [[Float]] = [[], []]
        for (index, (start, end)) in zip(cuts, cuts.dropFirst()).enumerated() {
          ducker.isSomebodyTalking = index % 2 == 1
          if index == 2 { ducker.configuration.duckingLevel = .max }
          let output = ducker.rendered(noise.map { Array($0[start..<end]) }, blocks: blocks)
          for channel in 0..<2 { result[channel] += output[channel] }
        }
        return result
      }
      let whole = try rendered([count])
      let random = (0..<40).map { _ in Int.random(in: 1...500, using: &generator) }
      for blocks in [[1], [3], [16], [17], [64], [441], [1, 4_096, 5], random] {
        let split = try rendered(blocks)
        for channel in 0..<2 {
          XCTAssertEqual(Signals.bits(split[channel]), Signals.bits(whole[channel]), "\(blocks)")
        }
      }
    }
  }

  func test_process_everyChannel_hasTheSameGain() throws {
    var ducker = try ducker(channels: 5, .init(enableAdvancedDucking: true))
    let ones = Array(repeating: Array(repeating: Float(1), count: 800), count: 5)
    _ = ducker.rendered(ones)
    ducker.isSomebodyTalking = true
    let output = ducker.rendered(ones, blocks: [37])
    for channel in output { XCTAssertEqual(channel, output[0]) }
    XCTAssertLessThan(output[0][799], output[0][0])
  }

  func test_process_zeroFrames_changesNothing() throws {
    var ducker = try ducker(.init(enableAdvancedDucking: true))
    XCTAssertEqual(ducker.rendered([[]]), [[]])
    // No frame has been rendered yet. Therefore the gain changes immediately.
    ducker.isSomebodyTalking = true
    XCTAssertEqual(heard(&ducker, frames: 1)[0], -10, accuracy: 0.001)
  }

  func test_reset_afterTalk_startsAtTheIdleGainWithoutARamp() throws {
    var ducker = try ducker(.init(enableAdvancedDucking: true))
    ducker.isSomebodyTalking = true
    _ = heard(&ducker, frames: 333)
    ducker.isSomebodyTalking = false
    ducker.reset()
    XCTAssertEqual(heard(&ducker, frames: 1)[0], -2.5, accuracy: 0.001)
  }

  func test_init_invalidSpec_throwsWithTheValue() {
    for (rate, channels, failure) in [
      (7_999.0, 2, VoiceFailure.sampleRateOutOfRange(7_999, supported: 8_000...192_000)),
      (.infinity, 2, .sampleRateOutOfRange(.infinity, supported: 8_000...192_000)),
      (48_000, 0, .channelCountOutOfRange(0, supported: 1...8)),
      (48_000, 9, .channelCountOutOfRange(9, supported: 1...8)),
    ] {
      do {
        _ = try OtherAudioDucker(spec: ProcessingSpec(sampleRate: rate, channelCount: channels))
        XCTFail("\(rate) Hz, \(channels) channels")
      } catch {
        XCTAssertEqual(error, failure)
        XCTAssertFalse(error.description.contains("\n"))
      }
    }
  }
}
