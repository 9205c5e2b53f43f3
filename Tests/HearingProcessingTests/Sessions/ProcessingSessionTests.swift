import HearingProcessing
import Observation
import TestSupport
import XCTest

final class ProcessingSessionTests: TimedTestCase {
  private let controller = ProcessingController(scheduler: ManualScheduler())
  private var session: ProcessingSession!

  override func setUpWithError() throws {
    session = try controller.activate(
      presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(2))))
  }

  func test_intensity_acceptsOnlyFiniteValuesFrom0To1() {
    for value: Float in [0, 1, 0.5, .leastNonzeroMagnitude] {
      XCTAssertEqual(session.intensity.apply(value).valueNow, value)
    }
    for value: Float in [-0.001, 1.001, .nan, .infinity, -.infinity] {
      guard case .invalidValue = session.intensity.apply(value).failureNow else {
        return XCTFail("\(value) is taken")
      }
    }
    XCTAssertEqual(session.intensity.value, .leastNonzeroMagnitude)
  }

  // MARK: Observation

  func test_observation_ofAValue_isNotifiedOnce_afterTheValueIsStored() {
    let session = session!
    let changed = Recorder<Float>()
    observe {
      session.intensity.value
    } onChange: {
      changed.record(session.intensity.value)
    }
    session.intensity.apply(1)
    XCTAssertEqual(changed.events, [], "nothing has changed")
    session.intensity.apply(0.5)
    session.intensity.apply(0.25)
    XCTAssertEqual(changed.events, [0.5])
  }

  func test_observation_ofAProperty_isNotNotifiedOfOtherProperties() {
    let session = session!
    let changed = Recorder<String>()
    observe {
      session.isEnabled.value
    } onChange: {
      changed.record("isEnabled")
    }
    observe {
      session.isInterrupted
    } onChange: {
      changed.record("isInterrupted")
    }
    observe {
      session.intensity.value
    } onChange: {
      changed.record("intensity")
    }
    session.isEnabled.apply(true)
    XCTAssertEqual(changed.events, ["isEnabled"])
    session.intensity.apply(0.5)
    XCTAssertEqual(changed.events, ["isEnabled", "intensity"])
    session.interrupt(reason: "1")
    XCTAssertEqual(changed.events, ["isEnabled", "intensity", "isInterrupted"])
  }

  func test_observation_ofUpdateState_isNotifiedOfAChange() {
    let session = session!
    let device = ManualDevice(session.intensity)
    let changed = Recorder<String>()
    observe {
      "\(session.intensity.updateState)"
    } onChange: {
      changed.record("\(session.intensity.updateState)")
    }
    session.intensity.apply(0.5)
    XCTAssertEqual(changed.events, ["applying(0.5)"])
    device.answer()
  }

  func test_observation_ofInterruptions_isNotifiedOfEachChange() {
    let session = session!
    let changed = Recorder<Int>()
    for reason in ["a", "b"] {
      observe {
        session.interruptions
      } onChange: {
        changed.record(session.interruptions.count)
      }
      session.interrupt(reason: reason)
    }
    XCTAssertEqual(changed.events, [1, 2])
    let states = Recorder<Bool>()
    observe {
      session.isInterrupted
    } onChange: {
      states.record(session.isInterrupted)
    }
    session.resolve(interruption: "a")
    XCTAssertEqual(states.events, [])
    session.resolve(interruption: "b")
    XCTAssertEqual(states.events, [false])
  }

  func test_valueReadThroughThePublisher_isNotTrackedByObservation() {
    let session = session!
    let changed = Recorder<Bool>()
    observe {
      session.intensity.$value.value
    } onChange: {
      changed.record(true)
    }
    session.intensity.apply(0.5)
    XCTAssertEqual(changed.events, [])
  }

  private func observe<Value>(
    _ read: () -> Value, onChange: @escaping @Sendable () -> Void
  ) {
    _ = withObservationTracking(read, onChange: onChange)
  }
}
