import HearingProcessing
import TestSupport
import XCTest

/// Compiles the code of the documentation exactly as it is printed there.
final class DocumentedLinesTests: TimedTestCase {
  func test_documentedCode_compilesAndRunsAsDescribed() async throws {
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

  func test_landingPage_codeOfTheOverview_runs() async throws {
    let headphone = Headphone()
    let profile = HearingProfile(left: .n3, right: .n2)
    // begin
    let controller = ProcessingController()
    let source = DefaultPresetDataSource(fitting: .techLevel(2), profile: profile)
    let session = try controller.activate(presetDataSource: .default(source))

    let applicator = session.intensity.applicator()
      .timeout(0.5)
      .canApply { _ in headphone.isConnected }
      .apply { intensity, result in headphone.write(intensity) { result($0) } }

    let token = session.intensity.$value.sink { print("intensity \($0)") }
    let value = try await session.intensity.apply(0.5).get()
    // end
    XCTAssertEqual(value, 0.5)
    XCTAssertEqual(applicator.latestAppliedValue, 0.5)
    token.cancel()
  }

  func test_landingPage_containsExactlyTheCodeCompiledInThisFile() throws {
    let page = DocumentedLines.page(
      "Sources/HearingProcessing/HearingProcessing.docc/HearingProcessing.md", from: #filePath)
    XCTAssertEqual(
      try DocumentedLines.printed(on: page), try DocumentedLines.compiled(in: #filePath))
  }
}

/// A substitute for a type that an app provides.
private struct Headphone: Sendable {
  let isConnected = true

  func write(_ intensity: Float, completion: @Sendable (ApplicationResult) -> Void) {
    completion(.success)
  }
}
