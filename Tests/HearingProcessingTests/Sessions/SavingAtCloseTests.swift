import Foundation
import HearingProcessing
import Observation
import TestSupport
import XCTest

final class SavingAtCloseTests: TimedTestCase {
  /// A value that is in force but was not delivered yet when the session ends.
  func test_deactivate_savesAValueThatWasCommittedButNotDelivered() throws {
    let store = MemoryStore()
    let controller = ProcessingController(scheduler: ManualScheduler(), store: store)
    let session = try controller.activate(
      presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(1))))
    let stored = Recorder<String>()
    withObservationTracking {
      _ = session.intensity.value
    } onChange: {
      // Observation is notified before the subscribers, and saving is a subscriber.
      controller.deactivate()
      stored.record(String(decoding: store.data["session"] ?? Data(), as: UTF8.self))
    }
    session.intensity.apply(0.5)
    XCTAssertEqual(stored.events.count, 1)
    XCTAssertTrue(
      stored.events.first?.contains("\"intensity\":0.5") == true, "\(stored.events)")
  }
}
