import Foundation
import HearingProcessing
import TestSupport
import XCTest

/// Tests updates while other threads call the same session.
final class SessionUpdateRaceTests: TimedTestCase {
  private let controller = ProcessingController()
  private var session: ProcessingSession!

  override func setUpWithError() throws {
    session = try controller.activate(
      presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(2))))
  }

  /// Runs both closures at about the same time on two threads. The second thread first runs a short
  /// loop with `delay` iterations.
  private func race(
    _ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void, delay: Int
  ) {
    let ready = Guarded(0)
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      ready.withLock { $0 += 1 }
      let begin = ContinuousClock.now
      while ready.withLock({ $0 }) < 2, begin.duration(to: .now) < .milliseconds(2) {}
      if thread == 0 { return first() }
      for _ in 0..<delay { ready.withLock { _ in } }
      second()
    }
  }

  /// Both calls begin at the same time, while a device has not answered yet for another value. The
  /// calls may be executed in either order. In both cases, the session must be interrupted at the
  /// end, and processing must be off.
  func test_interrupt_concurrentWithUpdateOrApply_disablesProcessing() throws {
    let session = try XCTUnwrap(session)
    let (latest, open) = (Holder(false), Holder<@Sendable (ApplicationResult) -> Void>())
    let isSlow = Holder(false)
    let applicator = session.applicator().apply { values, result in
      latest.value = values.isEnabled
      if isSlow.value == true { open.value = result } else { result(.success) }
    }
    for round in 0..<400 {
      let isSettled = Holder(false)
      let interrupted = Holder<ResultPublisher<Bool, ProcessingError>>()
      isSlow.value = true
      let inFlight = session.intensity.apply(Float(round % 2) / 2)
      isSlow.value = false
      race(
        {
          if round % 2 == 0 {
            session.update { $0.isEnabled = true }.observe { _ in isSettled.value = true }
          } else {
            session.isEnabled.apply(true).observe { _ in isSettled.value = true }
          }
        }, { interrupted.value = session.interrupt(reason: "race") }, delay: round % 40)
      open.take()?(.success)
      waitUntil {
        isSettled.value == true && interrupted.value?.outcome != nil && inFlight.outcome != nil
      }
      XCTAssertEqual(interrupted.value?.valueNow, true, "round \(round)")
      XCTAssertFalse(session.isEnabled.value, "round \(round): enabled")
      guard latest.value == false else { return XCTFail("round \(round): the device amplifies") }
      session.resolve(interruption: "race")
      session.isEnabled.apply(false)
      waitUntil { !session.isInterrupted && session.isEnabled.updateState == .applied }
    }
    withExtendedLifetime(applicator) {}
  }

  /// The answering thread finishes the update while `apply` still returns on the calling thread.
  func test_update_withAnswersFromAnotherThread_succeeds() throws {
    let session = try XCTUnwrap(session)
    let (answers, isOver) = (Holder<@Sendable (ApplicationResult) -> Void>(), Holder(false))
    let answering = OtherThread {
      while isOver.value == false { answers.take()?(.success) }
    }
    let applicator = session.applicator().apply { _, result in answers.value = result }
    for round in 0..<1_500 {
      let result = session.update { $0.intensity = Float(round % 2) / 2 }
      waitUntil { result.outcome != nil }
      XCTAssertNil(result.failureNow, "round \(round)")
    }
    isOver.value = true
    answering.join()
    withExtendedLifetime(applicator) {}
  }

  /// An update reads the last requested value and adds one step. Every value that it publishes must
  /// be the previous value plus one step. Otherwise, another request was queued between the reading
  /// and the queueing of the update.
  func test_update_concurrentWithApply_startsFromTheLastRequestedValue() throws {
    let session = try XCTUnwrap(session)
    let step = Float(1) / 65_536
    let seen = Recorder<Float>()
    let token = session.intensity.$value.sink { seen.record($0) }
    session.intensity.apply(0)
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      for _ in 0..<1_000 {
        if thread == 0 {
          session.update { $0.intensity += step }
        } else {
          session.intensity.apply(0)
        }
      }
    }
    waitUntil { session.intensity.updateState == .applied }
    for (before, after) in zip(seen.events, seen.events.dropFirst()) {
      XCTAssertTrue(after == 0 || after == before + step, "\(after) after \(before)")
    }
    token.cancel()
  }

  /// The app releases the interrupted session while a device has not answered yet for the
  /// intensity.
  func test_releasingAnInterruptedSession_doesNotStopValuesInFlight() throws {
    var session = try Optional(
      ProcessingController().activate(
        presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(2)))))
    let intensity = try XCTUnwrap(session?.intensity)
    let isEnabled = try XCTUnwrap(session?.isEnabled)
    let device = ManualDevice(try XCTUnwrap(session?.applicator()))
    isEnabled.apply(true)
    device.answer()
    session?.interrupt(reason: "test")
    device.answer()
    let (inFlight, queued) = (intensity.apply(0.5), intensity.apply(0.25))
    weak let released = session
    session = nil
    XCTAssertNil(released)
    XCTAssertEqual(isEnabled.apply(true).failureNow, .interrupted)
    guard inFlight.outcome == nil else {
      return XCTFail("it ended with the session: \(String(describing: inFlight.outcome))")
    }
    device.answer()
    device.answer()
    XCTAssertEqual(inFlight.valueNow, 0.5)
    XCTAssertEqual(queued.valueNow, 0.25)
  }

  /// A handler of `isEnabled` releases the interrupted session. A value for the intensity is still
  /// waiting at this time. It must then start on this thread.
  func test_sessionReleasedByAHandler_appliesTheQueuedValue() throws {
    let session = Holder(
      try ProcessingController().activate(
        presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(2)))))
    let isEnabled = try XCTUnwrap(session.value?.isEnabled)
    let intensity = try XCTUnwrap(session.value?.intensity)
    let whole = ManualDevice(try XCTUnwrap(session.value?.applicator()), automatic: .success)
    session.value?.interrupt(reason: "test")
    let waiting = Holder<ResultPublisher<Float, ParameterError>>()
    let applicator = isEnabled.applicator().apply { _, result in
      waiting.value = intensity.apply(0.5)
      session.value = nil
      result(.success)
    }
    XCTAssertEqual(isEnabled.synchronizeApplicators().valueNow, false)
    XCTAssertEqual(waiting.value?.valueNow, 0.5)
    withExtendedLifetime((applicator, whole)) {}
  }
}
