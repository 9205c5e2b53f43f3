@testable import HearingProcessing
import XCTest

final class ListenerEventTests: TimedTestCase {
  private let profile = HearingProfile(left: .n3)

  func test_newProfile_ofAnEvent_isTheProfileThatTheEventSetsOrClears() {
    XCTAssertEqual(ListenerEvent.hearingTestSubmitted(profile).newProfile, .some(profile))
    XCTAssertEqual(ListenerEvent.profileCleared.newProfile, .some(nil))
    XCTAssertEqual(ListenerEvent.authenticated(listener: "a").newProfile, .none)
    XCTAssertEqual(ListenerEvent(name: "moved", profile: profile).newProfile, .none)
  }

  func test_newProfile_ofAHearingTestWithoutAProfile_isNone() {
    XCTAssertEqual(ListenerEvent(name: "hearingTestSubmitted").newProfile, .none)
  }

  func test_events_containTheirListenerOrProfile() {
    XCTAssertEqual(ListenerEvent.authenticated(listener: "a").listener, "a")
    XCTAssertEqual(ListenerEvent.hearingTestSubmitted(profile).profile, profile)
    XCTAssertEqual(ListenerEvent.profileCleared, ListenerEvent(name: "profileCleared"))
  }
}
