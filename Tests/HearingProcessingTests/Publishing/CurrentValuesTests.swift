import TestSupport
import XCTest

@testable import HearingProcessing

final class CurrentValuesTests: TimedTestCase {
  func test_values_beginWithTheCurrentValue() async {
    let parameter = ProcessingParameter(7)
    var iterator = parameter.$value.values.makeAsyncIterator()
    let first = await iterator.next(isolation: nil)
    XCTAssertEqual(first, 7)
    parameter.apply(8)
    let second = await iterator.next(isolation: nil)
    XCTAssertEqual(second, 8)
  }

  func test_values_withASlowReader_keepOnlyTheNewestValue() async {
    let parameter = ProcessingParameter(0)
    var iterator = parameter.$value.values.makeAsyncIterator()
    for value in 1...50 { parameter.apply(value) }
    let next = await iterator.next(isolation: nil)
    XCTAssertEqual(next, 50)
  }

  func test_values_endWhenTheParameterIsReleased_afterTheNewestValue() async {
    var parameter: ProcessingParameter<Int>? = ProcessingParameter(0)
    let values = parameter?.$value.values
    var iterator = values?.makeAsyncIterator()
    parameter?.apply(3)
    parameter = nil
    let newest = await iterator?.next(isolation: nil)
    let end = await iterator?.next(isolation: nil)
    XCTAssertEqual(newest, 3)
    XCTAssertNil(end)
  }

  func test_values_doNotRetainTheirSource() async {
    let record = Recorder<String>()
    var source: CurrentValueSource<Canary>? = CurrentValueSource(Canary { record.record("freed") })
    let values = source.map { CurrentValuePublisher($0).values }
    source = nil
    XCTAssertEqual(record.events, ["freed"])
    var iterator = values?.makeAsyncIterator()
    let end = await iterator?.next(isolation: nil)
    XCTAssertNil(end)
  }

  func test_values_end_ifTheirSourceIsReleasedWhileATaskWaits() async {
    var source: CurrentValueSource<Int>? = CurrentValueSource(1)
    guard let publisher = source.map({ CurrentValuePublisher($0).values }) else { return }
    let isWaiting = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      var seen: [Int] = []
      for await value in publisher {
        seen.append(value)
        isWaiting.continuation.yield()
      }
      return seen
    }
    for await _ in isWaiting.stream { break }
    source = nil
    let seen = await task.value
    XCTAssertEqual(seen, [1])
  }

  func test_values_endWhenTheirSourceFinishes() async {
    let source = CurrentValueSource(1)
    let values = CurrentValuePublisher(source).values
    var iterator = values.makeAsyncIterator()
    source.send(2)
    source.finish()
    let newest = await iterator.next(isolation: nil)
    let end = await iterator.next(isolation: nil)
    XCTAssertEqual(newest, 2)
    XCTAssertNil(end)
  }

  func test_values_ofAFinishedSource_deliverTheLastValue_andThenEnd() async {
    let source = CurrentValueSource(1)
    source.finish()
    var seen: [Int] = []
    for await value in CurrentValuePublisher(source).values { seen.append(value) }
    XCTAssertEqual(seen, [1])
  }

  func test_values_andTheirSubscription_endWhenTheTaskIsCancelled() async {
    let record = Recorder<String>()
    let source = CurrentValueSource<Canary?>(nil)
    let values = CurrentValuePublisher(source).values
    let isWaiting = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for await _ in values { isWaiting.continuation.yield() }
      record.record("ended")
    }
    for await _ in isWaiting.stream { break }
    task.cancel()
    await task.value
    XCTAssertEqual(record.events, ["ended"])
    XCTAssertEqual(source.subscriberCount, 0)
  }

  func test_eachIterator_hasItsOwnSubscription() async {
    let parameter = ProcessingParameter(0)
    let values = parameter.$value.values
    var first = values.makeAsyncIterator()
    parameter.apply(1)
    var second = values.makeAsyncIterator()
    parameter.apply(2)
    let both = await (first.next(isolation: nil), second.next(isolation: nil))
    XCTAssertEqual(both.0, 2)
    XCTAssertEqual(both.1, 2)
  }

  func test_releasedIterator_endsItsSubscription() async {
    let source = CurrentValueSource(0)
    do {
      var iterator = CurrentValuePublisher(source).values.makeAsyncIterator()
      _ = await iterator.next(isolation: nil)
      XCTAssertEqual(source.subscriberCount, 1)
    }
    XCTAssertEqual(source.subscriberCount, 0)
  }
}
