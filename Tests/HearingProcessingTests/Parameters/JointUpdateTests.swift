@testable import HearingProcessing
import TestSupport
import XCTest

/// What another thread finds or does between two steps of an update: the steps are made one by one.
final class JointUpdateTests: TimedTestCase {
  private var session: ProcessingSession!

  override func setUpWithError() throws {
    session = try ProcessingController().activate(
      presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(2))))
  }

  func test_parameterClosedBetweenStartAndEnd_failsTheUpdateAndKeepsTheValue() throws {
    let session = try XCTUnwrap(session)
    let sequencer = session.intensity.sequencer
    let outcomes = Recorder<ParameterError?>()
    let seat = SeatSet([1])
    let update = JointUpdate(session.line.line, seats: seat, parts: SeatOrder(seat)) {
      outcomes.record($1)
    }
    let mustBeDriven = sequencer.machine.withLock {
      $0.startAtOnce(update, 0.5, unused: ResultPublisher())
    }
    XCTAssertFalse(mustBeDriven, "nobody applies it")
    update.startAtOnce(SeatOrder(SeatSet()))
    let publishFailures = sequencer.closing()
    JointUpdate.run(update)
    publishFailures()
    XCTAssertEqual(outcomes.events, [.sessionDeactivated])
    XCTAssertEqual(session.intensity.value, 1)
    XCTAssertEqual(session.intensity.updateState, .failed(0.5, .sessionDeactivated))
  }

  func test_updateWhileTheWholeSessionIsStillPartOfAnother_waitsForIt() throws {
    let session = try XCTUnwrap(session)
    let calls = Recorder<SessionValues>()
    let applicator = session.applicator().apply { values, result in
      calls.record(values)
      result(.success)
    }
    // Another thread has ended its update, and the parameters are at rest again.
    session.line.whole.machine.withLock { $0.phase = .between }
    let result = session.update { $0.intensity = 0.5 }
    XCTAssertNil(result.outcome)
    XCTAssertEqual(calls.events, [])
    // That thread goes on with the last queue.
    var driven = 0
    let next = try XCTUnwrap(session.line.line.seats[3].goOn(&driven))
    JointUpdate.run(next)
    XCTAssertEqual(result.valueNow?.intensity, 0.5)
    XCTAssertEqual(calls.events.map(\.intensity), [0.5])
    withExtendedLifetime(applicator) {}
  }
}
