import TestSupport
import XCTest

@testable import HearingProcessing

final class UpdateStateTests: TimedTestCase {
  private let scheduler = ManualScheduler()
  private let log = EventLog()
  private lazy var parameter = ProcessingParameter(0, scheduler: scheduler)

  private func device(
    answers immediate: ApplicationResult? = .success
  ) -> (ProcessingApplicator<Int>, Device<Int>) {
    let device = Device<Int>("a", EventLog(), answers: immediate)
    return (device.attach(parameter.applicator()), device)
  }

  func test_updateState_initially_isApplied() {
    XCTAssertEqual(parameter.updateState.words, "applied")
    XCTAssertEqual(parameter.$updateState.value.words, "applied")
  }

  func test_updateState_duringASequence_isApplying_andAfterwardsApplied() {
    let (a, device) = device(answers: nil)
    log.watchUpdates(of: parameter)
    log.watch("value", parameter.$value)
    log.watch("result", parameter.apply(1))
    XCTAssertEqual(log.drain(), ["applying 1"])
    device.answer()
    XCTAssertEqual(log.events, ["value 1", "applied", "result = 1", "result finished"])
    withExtendedLifetime(a) {}
  }

  func test_updateState_becomesFailedBeforeTheResult_untilTheNextSequence() {
    let (a, device) = device(answers: .failure(DeviceFailure()))
    log.watchUpdates(of: parameter)
    let result = parameter.apply(1)
    XCTAssertEqual(log.drain(), ["applying 1", "failed 1 applyFailed(device)"])
    log.watch("result", result)
    device.immediate = .success
    parameter.apply(2)
    XCTAssertEqual(
      log.events, ["result failed: applyFailed(device)", "applying 2", "applied"])
    withExtendedLifetime(a) {}
  }

  func test_updateState_showsEverySequenceInTheQueue() {
    let (a, device) = device(answers: nil)
    log.watchUpdates(of: parameter)
    for value in 1...3 { parameter.apply(value) }
    device.answer()
    device.answer(.failure(DeviceFailure()))
    device.answer()
    XCTAssertEqual(
      log.events,
      [
        "applying 1", "applied", "applying 2", "failed 2 applyFailed(device)", "applying 3",
        "applied",
      ])
    withExtendedLifetime(a) {}
  }

  func test_updateState_duringSynchronizeApplicators_isApplying() {
    let (a, _) = device()
    log.watchUpdates(of: parameter)
    parameter.synchronizeApplicators()
    XCTAssertEqual(log.events, ["applying 0", "applied"])
    withExtendedLifetime(a) {}
  }

  func test_updateState_withoutApplicators_staysApplied() {
    log.watchUpdates(of: parameter)
    parameter.apply(1)
    parameter.apply(2)
    parameter.synchronizeApplicators()
    XCTAssertEqual(log.events, [])
  }

  func test_updateState_changesFromWaitingDirectlyToApplying() {
    let (a, _) = device()
    parameter.deliveryMode = .discrete(seconds: 1)
    log.watchUpdates(of: parameter)
    parameter.apply(1)
    parameter.apply(2)
    XCTAssertEqual(log.events, ["waiting"])
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(log.drain(), ["waiting", "applying 2", "applied"])
    parameter.apply(3)
    parameter.flush()
    XCTAssertEqual(log.drain(), ["waiting", "applying 3", "applied"])
    parameter.apply(4)
    parameter.deliveryMode = .continuous
    XCTAssertEqual(log.drain(), ["waiting", "applying 4", "applied"])
    parameter.deliveryMode = .discrete(seconds: 1)
    parameter.apply(5)
    parameter.deliveryMode = .latest
    parameter.apply(6)
    XCTAssertEqual(log.drain(), ["waiting", "applying 6", "applied"])
    withExtendedLifetime(a) {}
  }

  func test_updateState_prefersApplyingToWaiting_andWaitingToTheLastOutcome() {
    let (a, device) = device(answers: nil)
    log.watchUpdates(of: parameter)
    parameter.apply(1)
    parameter.deliveryMode = .discrete(seconds: 1)
    parameter.apply(2)
    XCTAssertEqual(log.drain(), ["applying 1"])
    device.answer(.failure(DeviceFailure()))
    XCTAssertEqual(log.drain(), ["waiting"])
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(log.drain(), ["applying 2"])
    device.answer()
    XCTAssertEqual(log.drain(), ["applied"])
    withExtendedLifetime(a) {}
  }

  func test_updateState_afterAnInvalidValue_isUnchanged() {
    let parameter = ProcessingParameter(0, scheduler: scheduler) { $0 >= 0 }
    parameter.deliveryMode = .discrete(seconds: 1)
    log.watchUpdates(of: parameter)
    parameter.apply(-1)
    XCTAssertEqual(log.drain(), [])
    parameter.apply(1)
    parameter.apply(-1)
    parameter.apply(2)
    XCTAssertEqual(log.drain(), ["waiting"])
  }

  func test_updateState_afterAnInterruptionFailsTheWaitingValue_isApplied() {
    let session = ProcessingSession(
      presetDataSource: .default(.init(fitting: .techLevel(1))), scheduler: scheduler)
    session.isEnabled.deliveryMode = .discrete(seconds: 1)
    log.watchUpdates(of: session.isEnabled)
    session.isEnabled.apply(true)
    XCTAssertEqual(log.drain(), ["waiting"])
    session.interrupt(reason: "test")
    XCTAssertEqual(log.drain(), ["applied"])
    session.isEnabled.apply(true)
    XCTAssertEqual(log.drain(), [])
  }

  func test_updateState_ofADeactivatedSession_isFailedForWaitingAndLoadingValues() async throws {
    let loads = PendingCalls<Preset?>()
    let controller = ProcessingController(scheduler: scheduler)
    let session = try controller.activate(presetDataSource: .custom(CallingLoader(calls: loads)))
    session.intensity.deliveryMode = .discrete(seconds: 1)
    let result = session.intensity.apply(0.5)
    session.preset.reload()
    await loads.begun(1)
    XCTAssertEqual(session.preset.updateState.words, "loading")
    log.watchUpdates(of: session.intensity)
    log.watch("result", result)
    controller.deactivate()
    XCTAssertEqual(
      log.events, ["failed 0.5 sessionDeactivated", "result failed: sessionDeactivated"])
    XCTAssertEqual(session.preset.updateState.words, "failed nil sessionDeactivated")
  }

  func test_updateState_ofAParameterClosedDuringASequence_isFailed() {
    let (a, device) = device(answers: nil)
    log.watchUpdates(of: parameter)
    parameter.apply(1)
    parameter.close()
    XCTAssertEqual(log.drain(), ["applying 1", "failed 1 sessionDeactivated"])
    device.answer()
    XCTAssertEqual(log.events, [])
    XCTAssertEqual(parameter.updateState.words, "failed 1 sessionDeactivated")
    withExtendedLifetime(a) {}
  }
}
