import HearingAudiometry
import HearingFitting
import XCTest

final class SimulatedListenerTests: XCTestCase {
  private func presentation(
    _ level: Double, ear: Ear = .left, masking: Double? = nil, isSilent: Bool = false
  ) -> Presentation {
    Presentation(
      ear: ear, frequency: 1000, level: level, isSilent: isSilent,
      maskingLevel: masking)
  }

  private func heardRatio(_ listener: SimulatedListener, _ presentation: Presentation) -> Double {
    var listener = listener
    return Double((0..<4_000).count { _ in listener.respond(to: presentation).response.isHeard })
      / 4_000
  }

  func test_toneAtTheThreshold_isHeardHalfTheTime() throws {
    let listener = SimulatedListener(profile: HearingProfile(left: .n3), seed: 1)
    // The threshold at 1 kHz is 40 dB HL, with a standard deviation of 4 dB. The probability of a
    // false alarm and the probability of a lapse are 2 % each.
    XCTAssertEqual(heardRatio(listener, presentation(40)), 0.5, accuracy: 0.03)
    XCTAssertEqual(heardRatio(listener, presentation(44)), 0.02 + 0.96 * 0.841, accuracy: 0.03)
    XCTAssertEqual(heardRatio(listener, presentation(80)), 0.98, accuracy: 0.01)
    XCTAssertEqual(heardRatio(listener, presentation(80, isSilent: true)), 0.02, accuracy: 0.01)
  }

  func test_loudTone_isHeardByTheOtherEar_unlessThatEarIsMasked() throws {
    let listener = SimulatedListener(
      profile: HearingProfile(left: .n7, right: .n1), falseAlarms: 0, lapses: 0,
      interauralAttenuation: 50, seed: 1)
    XCTAssertEqual(listener.audibility(of: presentation(60)), 0.5, accuracy: 0.01)
    XCTAssertGreaterThan(listener.audibility(of: presentation(75)), 0.99)
    XCTAssertLessThan(listener.audibility(of: presentation(75, masking: 45)), 0.01)
  }

  func test_overmasking_masksTheTestedEar() throws {
    let listener = SimulatedListener(
      profile: HearingProfile(left: .n1, right: .n1), falseAlarms: 0, lapses: 0,
      interauralAttenuation: 50, seed: 1)
    XCTAssertLessThan(listener.audibility(of: presentation(20, masking: 85)), 0.01)
    XCTAssertGreaterThan(listener.audibility(of: presentation(20)), 0.98)
  }

  func test_equalSeeds_giveEqualAnswers() {
    var first = SimulatedListener(profile: HearingProfile(left: .n3), seed: 9)
    var second = first
    for level in 0..<60 {
      let a = first.respond(to: presentation(Double(level)))
      let b = second.respond(to: presentation(Double(level)))
      XCTAssertEqual(a.response, b.response)
      XCTAssertEqual(a.delay, b.delay)
    }
  }

  func test_slowListener_response_arrivesInTheSilenceOfTheNextPresentation() {
    var listener = SimulatedListener(
      profile: HearingProfile(left: .n1), falseAlarms: 0, lapses: 0, delay: 5, seed: 1)
    XCTAssertEqual(listener.respond(to: presentation(80)).response, .notHeard)
    XCTAssertTrue(listener.respond(to: presentation(80)).response.pressedInSilence)
  }
}
