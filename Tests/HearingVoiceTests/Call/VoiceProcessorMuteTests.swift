import HearingDSP
import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

/// Tests muting, and detection of talk while the microphone is muted.
final class VoiceProcessorMuteTests: XCTestCase {
  private let rate = 16_000.0

  private func skipSanitized() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
  }

  func test_isMuted_beforeTheFirstBlock_givesDigitalSilenceFromTheFirstSample() throws {
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.isMuted = true
    let tone = Signals.sine(1_000, rate: rate, count: 2_000)
    let result = TestCall(frames: 2_000, microphone: tone).rendered(by: processor)
    XCTAssertEqual(Signals.bits(result.uplink), Signals.bits(Signals.silence(2_000)))
  }

  func test_isMuted_whileRunning_fadesToDigitalSilenceInFifteenMilliseconds_andBack() throws {
    let processor = try VoiceProcessor(sampleRate: rate)
    let tone = Signals.sine(1_000, rate: rate, count: 8_000)
    var call = TestCall(frames: 8_000, microphone: tone)
    call.changes = [(2_005, { $0.isMuted = true }), (5_001, { $0.isMuted = false })]
    let uplink = call.rendered(by: processor, blocks: [100]).uplink
    XCTAssertGreaterThan(Signals.peak(uplink[2_005..<2_085]), 0.05)
    XCTAssertEqual(
      Signals.bits(Array(uplink[2_245..<5_001])), Signals.bits(Signals.silence(2_756)))
    XCTAssertGreaterThan(Signals.peak(uplink[5_001..<5_241]), 0.05)
    XCTAssertEqual(Signals.peak(uplink[6_000..<8_000]), 0.1, accuracy: 0.001)
  }

  func test_isMuted_switchedOnOrOff_makesNoClick() throws {
    try skipSanitized()
    for rate in [8_000, 16_000, 48_000] as [Double] {
      for mutes in [true, false] {
        let processor = try VoiceProcessor(sampleRate: rate)
        processor.isMuted = !mutes
        let count = Int(2 * rate)
        let tone = Signals.sine(1_000, rate: rate, count: count)
        var call = TestCall(frames: count, microphone: tone)
        call.changes = [(count / 2, { $0.isMuted = mutes })]
        let uplink = call.rendered(by: processor).uplink
        let energy = Spectrum.splatter(uplink, rate: rate)
        print("\(mutes ? "mute" : "unmute") at \(rate): \(energy) dB outside 700–1400 Hz")
        XCTAssertLessThan(energy, -80)
      }
    }
  }

  func test_isMuted_doesNotChangePlayback() throws {
    try skipSanitized()
    let voice = SyntheticVoice.speech(seconds: 1, rate: rate)
    let tone = Signals.sine(1_000, rate: rate, count: 16_000)
    let call = TestCall(frames: 16_000, farVoice: voice, otherAudio: tone)
    let open = try call.rendered(by: VoiceProcessor(sampleRate: rate))
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.isMuted = true
    XCTAssertEqual(call.rendered(by: processor).playback, open.playback)
  }

  func test_mutedTalk_isReportedWhenItStartsAndEnds_andOnlyThen() throws {
    let processor = try VoiceProcessor(sampleRate: rate)
    let voice = SyntheticVoice.speech(seconds: 2, rate: rate)
    // The microphone is always muted. The call contains one second of silence, two seconds of
    // voice, and silence again.
    processor.isMuted = true
    let result = TestCall(frames: 64_000, microphone: Signals.silence(16_000) + voice)
      .rendered(by: processor)
    let reported = result.reported(.mutedTalker)
    XCTAssertEqual(reported.map(\.change), [.started, .ended])
    guard reported.count == 2 else { return }
    // The start of talk is reported after 100 ms of voice plus the delay of the detector.
    XCTAssertEqual(Double(reported[0].frame) / rate, 1.1, accuracy: 0.15)
    XCTAssertEqual(Double(reported[1].frame) / rate, 3.8, accuracy: 0.15)
    XCTAssertFalse(processor.isTalkingWhileMuted)
  }

  func test_isMutedElsewhere_reportsMutedTalk_andDoesNotMuteTheUplink() throws {
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.isMutedElsewhere = true
    let voice = SyntheticVoice.speech(seconds: 1, rate: rate)
    let result = TestCall(frames: 56_000, microphone: Signals.silence(16_000) + voice)
      .rendered(by: processor)
    XCTAssertEqual(result.reported(.mutedTalker).map(\.change), [.started, .ended])
    XCTAssertGreaterThan(Signals.peak(result.uplink), 0.01)
  }

  func test_talkWhileMuted_isReportedAtMinus66dBFS_butNotAtMinus80dBFS() throws {
    for (level, isReported) in [(-66.0, true), (-80, false)] {
      let processor = try VoiceProcessor(sampleRate: rate)
      processor.isMuted = true
      let voice = SyntheticVoice.speech(
        seconds: 1, rate: rate, level: Signals.amplitude(decibels: level))
      let result = TestCall(frames: 32_000, microphone: Signals.silence(16_000) + voice)
        .rendered(by: processor)
      XCTAssertEqual(!result.reported(.mutedTalker).isEmpty, isReported, "\(level) dBFS")
    }
  }

  func test_talkWhileUnmuted_isNotReportedAsMutedTalker() throws {
    try skipSanitized()
    let processor = try VoiceProcessor(sampleRate: rate)
    let voice = SyntheticVoice.speech(seconds: 2, rate: rate)
    let result = TestCall(frames: 32_000, microphone: voice).rendered(by: processor)
    XCTAssertEqual(result.events.map(\.kind), [.ducking])
    XCTAssertFalse(processor.isTalkingWhileMuted)
  }

  func test_unmuting_whileTalking_endsTalkWithoutAnEvent_andTheNextMuteReportsTalkAgain() throws {
    try skipSanitized()
    let processor = try VoiceProcessor(sampleRate: rate)
    let voice = Signals.silence(8_000) + SyntheticVoice.speech(seconds: 2.2, rate: rate)
    var states: [Bool] = []
    var call = TestCall(frames: 40_000, microphone: voice)
    call.changes = [
      (0, { $0.isMuted = true }),
      (
        16_000,
        {
          states.append($0.isTalkingWhileMuted)
          $0.isMuted = false
          states.append($0.isTalkingWhileMuted)
        }
      ),
      (
        24_000,
        {
          $0.isMuted = true
          states.append($0.isTalkingWhileMuted)
        }
      ),
      (38_400, { states.append($0.isTalkingWhileMuted) }),
    ]
    let reported = call.rendered(by: processor).reported(.mutedTalker)
    XCTAssertEqual(reported.map(\.change), [.started, .started])
    XCTAssertEqual(reported.map { $0.frame < 16_000 }, [true, false])
    XCTAssertTrue(reported.allSatisfy { !(16_000..<25_600).contains($0.frame) })
    XCTAssertEqual(states, [true, false, false, true])
  }

  func test_unmutingAndMuting_betweenTwoBlocks_reportsTheTalkAgain() throws {
    try skipSanitized()
    let processor = try VoiceProcessor(sampleRate: rate)
    let voice = Signals.silence(8_000) + SyntheticVoice.speech(seconds: 2.2, rate: rate)
    processor.isMuted = true
    var call = TestCall(frames: 40_000, microphone: voice)
    call.changes = [
      (
        24_000,
        {
          $0.isMuted = false
          $0.isMuted = true
          XCTAssertFalse($0.isTalkingWhileMuted)
        }
      )
    ]
    let reported = call.rendered(by: processor).reported(.mutedTalker)
    XCTAssertEqual(reported.map(\.change), [.started, .started])
  }
}
