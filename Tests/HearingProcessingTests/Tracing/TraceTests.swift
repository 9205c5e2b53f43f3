import HearingProcessing
import TestSupport
import XCTest

/// Tests the events that `ProcessingController.trace` receives.
final class TraceTests: TimedTestCase {
  private let scheduler = ManualScheduler()
  private let events = Recorder<TraceEvent>()
  private lazy var store = MemoryStore()
  private lazy var controller = ProcessingController(scheduler: scheduler, store: store)

  private var lines: [String] { events.events.map(\.description) }

  private func activate() throws -> ProcessingSession {
    controller.trace = { [events] in events.record($0) }
    return try controller.activate(
      presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(2))))
  }

  func test_trace_reportsSequenceStart_answersAndEnd() throws {
    let session = try activate()
    let device = ManualDevice(session.intensity.applicator(named: "headphone"))
    session.intensity.apply(0.5)
    scheduler.advance(by: .seconds(2))
    device.answer()
    XCTAssertEqual(
      lines.filter { $0.hasPrefix("intensity") },
      [
        "intensity: sequence began, 0.5",
        "intensity: applicator answered, 0.5, by headphone, after 2.0 seconds",
        "intensity: sequence ended, 0.5",
      ])
  }

  func test_trace_reportsTimeoutAndFailure() throws {
    let session = try activate()
    let device = ManualDevice(session.intensity.applicator().timeout(1))
    session.intensity.apply(0.5)
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(events.events.map(\.kind), [.sequenceBegan, .timedOut, .sequenceEnded])
    XCTAssertNotNil(events.events.last?.failure)
    device.answer()
    XCTAssertEqual(events.events.last?.kind, .applicatorAnswered, "a late answer shows")
  }

  func test_trace_reportsInterruptionsAndResolutions() throws {
    let session = try activate()
    session.interrupt(reason: "hearing test")
    session.resolve(interruption: "hearing test")
    XCTAssertEqual(
      lines.filter { $0.hasPrefix("interruption") },
      ["interruption: interrupted, hearing test", "interruption: resolved, hearing test"])
  }

  func test_trace_reportsLoadAndSaveEvents() async throws {
    let session = try activate()
    _ = try await session.preset.reload().get()
    session.intensity.apply(0.5)
    controller.deactivate()
    waitUntil { self.events.events.contains { $0.kind == .saved } }
    let kinds = events.events.map(\.kind)
    XCTAssertTrue(kinds.contains(.loadBegan))
    XCTAssertTrue(kinds.contains(.loadEnded))
  }

  func test_trace_reportsOneEventForEachChangedParameterOfAnUpdate() throws {
    let session = try activate()
    let device = ManualDevice(session.applicator(named: "headphone"), automatic: .success)
    session.update { values in
      values.isEnabled = true
      values.intensity = 0.5
    }
    XCTAssertEqual(
      events.events.filter { $0.kind == .sequenceEnded }.map(\.subject),
      ["intensity", "isEnabled", "session"])
    XCTAssertEqual(events.events.filter { $0.kind == .applicatorAnswered }.count, 1)
    withExtendedLifetime(device) {}
  }

  func test_traceSetToNil_reportsNoEvents() throws {
    let session = try activate()
    controller.trace = nil
    session.intensity.apply(0.5)
    XCTAssertTrue(events.events.isEmpty)
  }
}
