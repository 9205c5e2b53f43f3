import HearingProcessing
import TestSupport
import XCTest

final class CurrentValuePublisherTests: TimedTestCase {
  func test_publisher_showsTheValuesOfItsParameter() {
    let parameter = ProcessingParameter(1)
    let publisher = parameter.$value
    let record = Recorder<Int>()
    let token = publisher.sink { record.record($0) }
    parameter.apply(2)
    XCTAssertEqual(record.events, [1, 2])
    XCTAssertEqual(publisher.value, 2)
    XCTAssertEqual(parameter.$value.value, 2)
    token.cancel()
  }

  func test_publisher_afterItsParameterIsReleased_keepsTheLastValue() {
    var parameter: ProcessingParameter<Int>? = ProcessingParameter(1)
    let publisher = parameter?.$value
    parameter?.apply(2)
    parameter = nil
    let record = Recorder<Int>()
    let token = publisher?.sink { record.record($0) }
    XCTAssertEqual(record.events, [2])
    token?.cancel()
  }

  func test_token_doesNotRetainTheParameter() {
    var parameter: ProcessingParameter<Int>? = ProcessingParameter(1)
    weak let weakParameter = parameter
    let token = parameter?.$value.sink { _ in }
    parameter = nil
    XCTAssertNil(weakParameter)
    token?.cancel()
  }

  // MARK: On the main actor

  @MainActor
  func test_sinkOnMainActor_deliversValuesInOrderUpToTheLast() async {
    let parameter = ProcessingParameter(0)
    let record = Recorder<Int>()
    let seen = AsyncStream.makeStream(of: Int.self)
    let token = parameter.$value.sinkOnMainActor { value in
      MainActor.assertIsolated()
      record.record(value)
      seen.continuation.yield(value)
    }
    XCTAssertEqual(record.events, [], "nothing runs inside the call")
    await Task.detached { for value in 1...100 { parameter.apply(value) } }.value
    for await value in seen.stream where value == 100 { break }
    XCTAssertEqual(record.events, record.events.sorted())
    XCTAssertEqual(Set(record.events).count, record.events.count)
    token.cancel()
  }

  @MainActor
  func test_sinkOnMainActor_afterCancelOnTheMainActor_deliversNothing() async {
    let parameter = ProcessingParameter(0)
    let record = Recorder<Int>()
    let token = parameter.$value.sinkOnMainActor { record.record($0) }
    parameter.apply(1)
    token.cancel()
    parameter.apply(2)
    for _ in 0..<100 { await Task.yield() }
    XCTAssertEqual(record.events, [])
  }

  @MainActor
  func test_sinkOnMainActor_cancelInsideTheSubscriber_dropsPendingValues() async {
    let parameter = ProcessingParameter(0)
    let record = Recorder<Int>()
    let token = Holder<ObservationToken>()
    token.value = parameter.$value.sinkOnMainActor { value in
      record.record(value)
      token.take()?.cancel()
      parameter.apply(4)
    }
    for value in 1...3 { parameter.apply(value) }
    await waitOnMainActor { !record.events.isEmpty }
    for _ in 0..<100 { await Task.yield() }
    XCTAssertEqual(record.events, [3])
  }

  @MainActor
  func test_sinkOnMainActor_cancel_releasesCapturedObjects() async {
    let parameter = ProcessingParameter(0)
    let record = Recorder<String>()
    var token: ObservationToken?
    do {
      let canary = Canary { record.record("freed") }
      token = parameter.$value.sinkOnMainActor { _ in canary.sing() }
    }
    await Task { @MainActor in }.value
    XCTAssertEqual(record.events, [])
    token?.cancel()
    await waitOnMainActor { record.events == ["freed"] }
  }
}
