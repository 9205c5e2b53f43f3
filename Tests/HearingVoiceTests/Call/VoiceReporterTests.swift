import HearingDSP
import XCTest

@testable import HearingVoice

final class VoiceReporterTests: XCTestCase {
  private let ring = RenderEventRing()

  private func reported() -> [String] {
    ring.drain().map { event in
      "\(event.kind.rawValue & 0xFF) \(event.voiceChange.map { "\($0)" } ?? "\(event.value)")"
        + " \(event.frame)"
    }
  }

  func test_addNear_whileMutedAndDetecting_reportsMutedTalkAndNearVoice() {
    var reporter = VoiceReporter(events: ring.writer)
    var settings = VoiceSettings()
    settings.mute(true)
    settings.detectVoiceActivity(true)
    reporter.apply(settings)
    for frame in 1...20 {
      reporter.addNear(NearDecision(isVoice: true, isVoiceOrEcho: true, frame: Int64(frame)))
    }
    XCTAssertEqual(reported(), ["2 started 10", "1 started 10"])
    XCTAssertTrue(reporter.report.isTalkingWhileMuted)
    reporter.reset(frame: 21)
    XCTAssertEqual(reported(), ["1 ended 21", "2 ended 21"])
    XCTAssertFalse(reporter.report.isTalkingWhileMuted)
  }

  func test_apply_unmutedAndMutedBetweenTwoBlocks_countsVoiceFromZero() {
    var reporter = VoiceReporter(events: ring.writer)
    var settings = VoiceSettings()
    settings.mute(true)
    reporter.apply(settings)
    for frame in 1...9 {
      reporter.addNear(NearDecision(isVoice: true, isVoiceOrEcho: true, frame: Int64(frame)))
    }
    settings.mute(false)
    settings.mute(true)
    reporter.apply(settings)
    for frame in 10...18 {
      reporter.addNear(NearDecision(isVoice: true, isVoiceOrEcho: true, frame: Int64(frame)))
    }
    XCTAssertEqual(reported(), [])
    reporter.addNear(NearDecision(isVoice: true, isVoiceOrEcho: true, frame: 19))
    XCTAssertEqual(reported(), ["1 started 19"])
  }

  func test_reportDucking_sameGain_isReportedOnce_andAgainAfterReset() {
    var reporter = VoiceReporter(events: ring.writer)
    for gain in [-10, -10, -2.5, -2.5] as [Float] { reporter.reportDucking(gain: gain, frame: 4) }
    reporter.reset(frame: 5)
    reporter.reportDucking(gain: -2.5, frame: 0)
    XCTAssertEqual(reported(), ["4 -10.0 4", "4 -2.5 4", "4 -2.5 0"])
  }
}
