import HearingProcessing
import TestSupport
import XCTest

/// The lines that are promised to compile, as written.
final class DocumentedLinesTests: XCTestCase {
  func test_documentedLines_compileAndDoWhatTheySay() async throws {
    let controller = ProcessingController()
    let presetDataSource = DefaultPresetDataSource(fitting: .techLevel(3))
    let session = try controller.activate(presetDataSource: .default(presetDataSource))
    let parameter = session.intensity
    var token = parameter.$value.sink { value in print(value) }
    token = parameter.apply(0.5).sink { completion in
      print(completion)
    } receiveValue: { value in
      print(value)
    }
    XCTAssertEqual(parameter.value, 0.5)
    parameter.deliveryMode = .discrete(seconds: 0.2)
    let applicator = parameter.applicator()
      .timeout(0.5)
      .canApply { value in return value >= 0 }
      .apply { value, result in result(.success) }
    var (synchronized, resultPublisher) = parameter.applicator(synchronizing: 0.7)
    synchronized = synchronized.canApply { _ in true }.apply { value, result in result(.success) }
    let synchronizedValue = try await resultPublisher.get()
    XCTAssertEqual(synchronizedValue, 0.7)
    XCTAssertEqual(applicator.latestAppliedValue, 0.7)
    XCTAssertEqual(synchronized.latestAppliedValue, 0.7)
    token = session.interrupt(reason: "MySessionInterruption").sink { completion in
    } receiveValue: { isInterrupted in
    }
    XCTAssertTrue(session.isInterrupted)
    token = session.resolve(interruption: "MySessionInterruption").sink { completion in
    } receiveValue: { isInterrupted in
    }
    XCTAssertFalse(session.isInterrupted)
    session.preset.reload()
    let value = try await parameter.apply(0.25).get()
    XCTAssertEqual(value, 0.25)
    _ = token
  }
}
