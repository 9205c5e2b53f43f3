import HearingProcessing
import TestSupport
import XCTest

@_spi(Measuring) import HearingProcessing

/// Tests `map` and `removeDuplicates`. They create a publisher from another publisher.
final class DerivedPublisherTests: TimedTestCase {
  func test_map_deliversTransformedValues_andHasTheTransformedValue() {
    let publisher = CurrentValuePublisher(initialValue: 1)
    let words = publisher.map { "<\($0)>" }
    let seen = Recorder<String>()
    let token = words.sink { seen.record($0) }
    publisher.send(2)
    XCTAssertEqual(seen.events, ["<1>", "<2>"])
    XCTAssertEqual(words.value, "<2>")
    token.cancel()
    publisher.send(3)
    XCTAssertEqual(seen.events.count, 2)
  }

  func test_removeDuplicates_omitsConsecutiveEqualValues_perSubscriber() {
    let publisher = CurrentValuePublisher(initialValue: 1)
    let halves = publisher.map { $0 / 2 }.removeDuplicates()
    let (first, second) = (Recorder<Int>(), Recorder<Int>())
    let tokens = [halves.sink { first.record($0) }]
    for value in [0, 2, 3] { publisher.send(value) }
    let late = halves.sink { second.record($0) }
    for value in [2, 4] { publisher.send(value) }
    XCTAssertEqual(first.events, [0, 1, 2])
    XCTAssertEqual(second.events, [1, 2])
    withExtendedLifetime((tokens, late)) {}
  }

  func test_map_ofAConstant_hasTheTransformedValue() {
    let publisher = CurrentValuePublisher.constant(3).map { $0 + 1 }.removeDuplicates()
    XCTAssertEqual(publisher.value, 4)
  }

  func test_values_ofAConstant_haveTheConstantOnce() async {
    var values: [Int] = []
    for await value in CurrentValuePublisher.constant(3).values { values.append(value) }
    for await value in CurrentValuePublisher.constant(3).map({ $0 + 1 }).values {
      values.append(value)
    }
    XCTAssertEqual(values, [3, 4])
  }

  func test_values_ofADerivedPublisher_endWhenTheSourceIsReleased() async {
    var parameter: ProcessingParameter<Int>? = ProcessingParameter(1)
    guard let values = parameter?.$value.map({ $0 * 10 }).values else { return }
    var seen: [Int] = []
    for await value in values {
      seen.append(value)
      parameter = nil
    }
    XCTAssertEqual(seen, [10])
  }

  @MainActor
  func test_sinkOnMainActor_ofADerivedPublisher_deliversTheTransformedValue() async {
    let publisher = CurrentValuePublisher.constant(3).map { $0 + 1 }
    let seen = Recorder<Int>()
    let token = publisher.sinkOnMainActor { seen.record($0) }
    while seen.events.isEmpty { await Task.yield() }
    XCTAssertEqual(seen.events, [4])
    token.cancel()
  }
}
