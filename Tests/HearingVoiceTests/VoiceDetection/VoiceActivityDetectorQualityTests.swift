import HearingDSP
import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

/// Detects synthetic talk in noise. Each signal lasts several minutes.
///
/// The figures in the documentation come from benchmarks with real voices. Synthetic talk ends
/// abruptly at its full level. Therefore the detector reports the end of synthetic talk slightly
/// too late.
final class VoiceActivityDetectorQualityTests: XCTestCase {
  private typealias Noise = (Int, Double, inout SeededGenerator) -> [Float]

  /// Each kind of noise, and the minimum F1 score at signal-to-noise ratios of +10 and +5 dB. The
  /// minimum is 0.02 below the measured score.
  private let noises: [(name: String, make: Noise, minimum: [Double: Double])] = [
    ("pink", { SyntheticNoise.pink(count: $0, rate: $1, using: &$2) }, [10: 0.853, 5: 0.801]),
    ("fan", { SyntheticNoise.fan(count: $0, rate: $1, using: &$2) }, [10: 0.865, 5: 0.79]),
    ("music", { SyntheticNoise.music(count: $0, rate: $1, using: &$2) }, [10: 0.813, 5: 0.784]),
  ]

  override func setUpWithError() throws {
    if Signals.isSanitized { throw XCTSkip("minutes of sound take too long with a sanitizer") }
  }

  func test_process_talkInNoise_reachesTheMinimumF1Score() throws {
    for ratio in [10.0, 5] {
      for (name, make, minimum) in noises {
        var scores: [Double] = []
        for pitch in [95.0, 130, 190, 230] {
          let talk = SyntheticTalk(seconds: 40, rate: 16_000, pitch: pitch, seed: UInt64(pitch))
          var generator = SeededGenerator(seed: 65)
          let noise = make(talk.samples.count, 16_000, &generator)
          let mixed = Heard.mixed(talk.samples, noise, ratio: ratio, level: 65)
          let decisions = try Heard.decisions(on: mixed, rate: 16_000)
          scores.append(Heard.f1(decisions, truth: talk.truth))
        }
        let mean = scores.reduce(0, +) / Double(scores.count)
        print("F1 in \(name) at \(ratio) dB: \(mean), by pitch \(scores)")
        XCTAssertGreaterThan(mean, minimum[ratio] ?? 1, "\(name) at \(ratio) dB")
      }
    }
  }

  func test_process_tenMinutesOfNoise_neverStartsTalk() throws {
    for (name, make, _) in noises {
      var generator = SeededGenerator(seed: 66)
      let noise = make(16_000 * 600, 16_000, &generator)
      let gain = Float(Signals.amplitude(decibels: -45))
      let decisions = try Heard.decisions(on: Signals.scaled(noise, by: gain), rate: 16_000)
      let fraction = Double(decisions.count { $0.isVoice }) / Double(decisions.count)
      print("frames detected as voice in ten minutes of \(name): \(100 * fraction) %")
      XCTAssertEqual(Heard.starts(in: decisions), 0, name)
    }
  }

  func test_process_90PercentOfTheOnsets_areDetectedWithin100Milliseconds() throws {
    let talk = SyntheticTalk(seconds: 60, rate: 16_000, pitch: 150, seed: 67)
    var generator = SeededGenerator(seed: 68)
    let noise = SyntheticNoise.pink(count: talk.samples.count, rate: 16_000, using: &generator)
    let mixed = Heard.mixed(talk.samples, noise, ratio: 10, level: 65)
    let decisions = try Heard.decisions(on: mixed, rate: 16_000)
    var delays: [Int] = []
    for onset in 30..<(talk.truth.count - 100)
    where talk.truth[onset] && !talk.truth[(onset - 30)..<onset].contains(true) {
      let first = decisions[onset...].firstIndex { $0.isVoice } ?? decisions.count
      delays.append((first - onset + 1) * 10)
    }
    delays.sort()
    print("onsets after \(delays) ms")
    XCTAssertLessThanOrEqual(delays[delays.count * 9 / 10], 100)
  }
}
