import HearingDSP
import XCTest

@testable import HearingVoice

final class VoiceSettingsTests: XCTestCase {
  func test_init_fromThePackedWord_restoresEverySetting() {
    for isMuted in [false, true] {
      for detects in [false, true] {
        for isAdvanced in [false, true] {
          for level in OtherAudioDuckingConfiguration.Level.allCases {
            var settings = VoiceSettings()
            settings.mute(isMuted, elsewhere: isAdvanced)
            settings.detectVoiceActivity(detects)
            settings.ducking = OtherAudioDuckingConfiguration(
              enableAdvancedDucking: isAdvanced, duckingLevel: level)
            XCTAssertEqual(VoiceSettings(word: settings.word), settings)
            XCTAssertEqual(settings.periods.mute, isMuted || isAdvanced ? 1 : 0)
            XCTAssertEqual(settings.periods.detection, detects ? 1 : 0)
          }
        }
      }
    }
  }

  func test_mute_countsOnlyChanges_andTheCountWrapsAround() {
    var settings = VoiceSettings()
    settings.mute(false)
    XCTAssertEqual(settings.periods.mute, 0)
    for _ in 0..<3 { settings.mute(true) }
    XCTAssertEqual(settings.periods.mute, 1)
    settings = VoiceSettings(word: UInt64(0xFF_FFFF) << 8 | UInt64(0xFF_FFFF) << 32)
    settings.mute(true)
    settings.detectVoiceActivity(true)
    // In the word, the counters wrap around to zero. Both sides of a call (playback and microphone)
    // use this word.
    settings = VoiceSettings(word: settings.word)
    XCTAssertEqual(settings.periods, VoicePeriods())
    XCTAssertTrue(settings.isMuted && settings.detectsVoiceActivity)
  }

  func test_mute_byTheAppAndElsewhere_countsOnlyChangesOfTheCombinedState() {
    var settings = VoiceSettings()
    settings.mute(elsewhere: true)
    settings.mute(true)
    settings.mute(elsewhere: false)
    XCTAssertEqual(settings.periods.mute, 1)
    XCTAssertTrue(settings.isMutedAnywhere)
    settings.mute(false)
    XCTAssertEqual(settings.periods.mute, 2)
    XCTAssertFalse(settings.isMutedAnywhere)
  }

  func test_report_packedIntoAnInteger_andUnpacked_isUnchanged() {
    for bits in 0..<8 {
      var report = VoiceReport()
      report.isTalkingWhileMuted = bits & 1 != 0
      report.isNearVoiceActive = bits & 2 != 0
      report.isFarVoiceActive = bits & 4 != 0
      report.periods = VoicePeriods(word: UInt64(bits) << 8 | UInt64(7 - bits) << 32)
      XCTAssertEqual(VoiceReport(word: report.word), report)
    }
  }

  func test_event_ofVoiceActivity_returnsItsChangeAndPeriod() {
    for period in [0, 1, 77, 0xFF_FFFF] as [UInt32] {
      for change in [VoiceState.Change.started, .ended] {
        let event = RenderEvent(.farVoice, frame: 3, change: change, period: period)
        XCTAssertEqual(event.voiceChange, change)
        XCTAssertEqual(event.voicePeriod, period)
      }
    }
    XCTAssertNil(RenderEvent(.ducking, frame: 0, value: -10).voiceChange)
  }
}
