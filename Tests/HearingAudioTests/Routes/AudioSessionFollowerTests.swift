import HearingAudio
import HearingProcessing
import TestSupport
import XCTest

final class AudioSessionFollowerTests: XCTestCase {
  private func makeSession() throws -> (ProcessingController, ProcessingSession) {
    let controller = ProcessingController(scheduler: ManualScheduler())
    let source = DefaultPresetDataSource(fitting: .techLevel(2), profile: nil)
    let session = try controller.activate(presetDataSource: .default(source))
    session.isEnabled.apply(true)
    return (controller, session)
  }

  func test_interruption_interruptsTheSession_untilTheInterruptionEnds() async throws {
    let (controller, session) = try makeSession()
    let follower = AudioSessionFollower(session, routes: RouteFollower(session)) {}
    _ = try await XCTUnwrap(follower.handle(.interruptionBegan)).get()
    XCTAssertTrue(
      session.interruptions.contains(.audioSession))
    XCTAssertFalse(session.isEnabled.value)
    // If a hearing device connects during the call, processing stays off after the call.
    _ = try await XCTUnwrap(follower.handle(.routeChanged(AudioRoute(.hearingDevice)))).get()
    _ = try await XCTUnwrap(follower.handle(.interruptionEnded)).get()
    XCTAssertTrue(session.isInterrupted)
    _ = try await XCTUnwrap(follower.handle(.routeChanged(AudioRoute(.wired)))).get()
    XCTAssertFalse(session.isInterrupted)
    XCTAssertTrue(session.isEnabled.value)
    withExtendedLifetime(controller) {}
  }

  func test_mediaServicesReset_rebuildsTheChain_thenEntersTheRouteAgain() async throws {
    let (controller, session) = try makeSession()
    let routes = RouteFollower(session)
    let log = Recorder<String>()
    let follower = AudioSessionFollower(session, routes: routes) {
      log.record("rebuild at \(routes.route?.kind.rawValue ?? "-")")
    }
    XCTAssertNil(follower.handle(.mediaServicesReset))
    follower.handle(.routeChanged(AudioRoute(.bluetooth)))
    let result = try await XCTUnwrap(follower.handle(.mediaServicesReset)).get()
    XCTAssertFalse(result)
    XCTAssertEqual(log.events, ["rebuild at -", "rebuild at bluetooth"])
    withExtendedLifetime(controller) {}
  }
}
