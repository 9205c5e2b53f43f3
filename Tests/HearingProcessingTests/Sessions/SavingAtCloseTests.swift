import Foundation
import HearingProcessing
import Observation
import TestSupport
import XCTest

final class SavingAtCloseTests: TimedTestCase {
  /// The session ends after the value was committed and before subscribers receive the value.
  func test_deactivate_savesACommittedValue_beforeItsSubscribersReceiveIt() throws {
    let store = MemoryStore()
    let controller = ProcessingController(scheduler: ManualScheduler(), store: store)
    let session = try controller.activate(
      presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(1))))
    let stored = Recorder<String>()
    withObservationTracking {
      _ = session.intensity.value
    } onChange: {
      // This closure runs before the subscribers get the value. The function that saves values is
      // also a subscriber.
      controller.deactivate()
      stored.record(String(decoding: store.data["session"] ?? Data(), as: UTF8.self))
    }
    session.intensity.apply(0.5)
    XCTAssertEqual(stored.events.count, 1)
    XCTAssertTrue(
      stored.events.first?.contains("\"intensity\":0.5") == true, "\(stored.events)")
  }

  private let source = PresetDataSource.default(
    DefaultPresetDataSource(fitting: .techLevel(1)))

  func test_deactivate_onTwoThreads_returnsOnBothAfterTheSave() throws {
    for round in 0..<20 {
      let store = MemoryStore()
      store.duringSave = {
        let end = ContinuousClock.now + .milliseconds(5)
        while ContinuousClock.now < end {}
      }
      let controller = ProcessingController(scheduler: ManualScheduler(), store: store)
      let session = try controller.activate(presetDataSource: source)
      let token = controller.session.sink { _ in }
      session.intensity.apply(0.5)
      session.intensity.apply(0.25)
      let unsaved = Recorder<Int>()
      DispatchQueue.concurrentPerform(iterations: 2) { number in
        controller.deactivate()
        let text = String(decoding: store.data["session"] ?? Data(), as: UTF8.self)
        if !text.contains("\"intensity\":0.25") { unsaved.record(number) }
      }
      XCTAssertEqual(
        unsaved.events, [], "round \(round): a call returns before the values are stored")
      token.cancel()
    }
  }

  func test_subscriberOfSession_thatReceivesNil_cannotApplyToTheEndedSession() throws {
    let controller = ProcessingController(scheduler: ManualScheduler())
    let session = try controller.activate(presetDataSource: source)
    let accepted = Recorder<Float>()
    let token = controller.session.sink { [source] active in
      guard active == nil else { return }
      if case .success(let value)? = session.intensity.apply(0.5).outcome {
        accepted.record(value)
      }
      XCTAssertNotNil(try? controller.activate(presetDataSource: source))
    }
    controller.deactivate()
    XCTAssertEqual(accepted.events, [])
    XCTAssertNotNil(controller.session.value)
    token.cancel()
  }

  /// Calls several functions of the controller. Returns the error of the new activation.
  private static func restart(
    _ controller: ProcessingController, _ source: PresetDataSource
  ) -> ProcessingError? {
    controller.report(.profileCleared)
    controller.deactivate()
    do throws(ProcessingError) {
      try controller.activate(presetDataSource: source)
      return nil
    } catch {
      return error
    }
  }

  func test_storeThatCallsTheController_insideSave_doesNotDeadlock() throws {
    let store = MemoryStore()
    let controller = ProcessingController(scheduler: ManualScheduler(), store: store)
    let errors = Recorder<ProcessingError?>()
    let calls = Holder(0)
    store.duringSave = { [source] in
      calls.value = (calls.value ?? 0) + 1
      guard calls.value == 1 else { return }
      errors.record(Self.restart(controller, source))
    }
    let session = try controller.activate(presetDataSource: source)
    session.intensity.apply(0.5)
    waitUntil { !errors.events.isEmpty }
    XCTAssertEqual(errors.events, [nil], "a session can be activated after the first one")
    XCTAssertEqual(session.intensity.apply(0.25).outcome, .failure(.sessionDeactivated))
    store.duringSave = nil
    controller.deactivate()
    XCTAssertNotNil(store.session)
  }

  func test_storeThatCallsTheController_insideLoad_doesNotDeadlock() throws {
    let store = MemoryStore()
    let controller = ProcessingController(scheduler: ManualScheduler(), store: store)
    let errors = Recorder<ProcessingError?>()
    let sessions = Recorder<UUID?>()
    store.duringLoad = { [source] in
      sessions.record(controller.session.value?.id)
      errors.record(Self.restart(controller, source))
    }
    let first = try controller.activate(presetDataSource: source)
    XCTAssertEqual(errors.events, [.sessionAlreadyActivated])
    XCTAssertEqual(first.intensity.apply(0.5).outcome, .success(0.5))
    controller.deactivate()
    let second = try controller.activate(presetDataSource: source)
    XCTAssertEqual(second.intensity.value, 0.5)
    XCTAssertIdentical(controller.session.value, second)
    XCTAssertEqual(errors.events, [.sessionAlreadyActivated, .sessionAlreadyActivated])
    XCTAssertEqual(sessions.events, [nil, nil], "a session is active only after its load")
    XCTAssertNil(controller.storeFailure.value)
    store.duringLoad = nil
    controller.deactivate()
  }
}
