import TestSupport
import XCTest

@testable import HearingProcessing

final class ResultPublisherAsyncTests: TimedTestCase {
  private enum Failure: Error, Equatable { case broken }
  private typealias Publisher = ResultPublisher<Int, Failure>

  func test_get_returnsASettledResult() async throws {
    let value = try await Publisher(.success(1)).get()
    XCTAssertEqual(value, 1)
  }

  func test_get_waitsForTheResult() async throws {
    let publisher = Publisher()
    let task = Task { try await publisher.get() }
    while !publisher.isAwaited { await Task.yield() }
    publisher.settle(.success(2))
    let value = try await task.value
    XCTAssertEqual(value, 2)
  }

  func test_get_throwsTheFailure() async {
    do {
      _ = try await Publisher(.failure(.broken)).get()
      XCTFail("no failure")
    } catch {
      XCTAssertEqual(error as? Failure, .broken)
    }
  }

  func test_get_inACancelledTask_throwsCancellation_andDoesNotSubscribe() async {
    let publisher = Publisher()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await publisher.get()
    }
    let result = await task.result
    XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
    XCTAssertFalse(publisher.isAwaited)
  }

  func test_get_cancelledWhileItWaits_throwsCancellation_andEndsItsSubscription() async {
    let publisher = Publisher()
    let task = Task { try await publisher.get() }
    while !publisher.isAwaited { await Task.yield() }
    task.cancel()
    let result = await task.result
    XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
    XCTAssertFalse(publisher.isAwaited)
    XCTAssertTrue(publisher.settle(.success(1)), "the result still comes")
  }

  func test_get_inATaskCancelledAfterTheResult_returnsTheResult() async throws {
    let settled = Publisher(.success(3))
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await settled.get()
    }
    let value = try await late.value
    XCTAssertEqual(value, 3)
    for number in 0..<100 {
      let publisher = Publisher()
      let task = Task { try await publisher.get() }
      while !publisher.isAwaited { await Task.yield() }
      publisher.settle(.success(number))
      task.cancel()
      let value = try await task.value
      XCTAssertEqual(value, number)
    }
  }

  func test_get_cancelledAndSettledAtTheSameTime_returnsTheValueOrThrowsCancellation() async {
    for _ in 0..<300 {
      let publisher = Publisher()
      let task = Task { try await publisher.get() }
      async let settled: Void = { _ = publisher.settle(.success(1)) }()
      async let cancelled: Void = task.cancel()
      _ = await (settled, cancelled)
      switch await task.result {
      case .success(let value): XCTAssertEqual(value, 1)
      case .failure(let error): XCTAssertTrue(error is CancellationError, "\(error)")
      }
    }
  }

  func test_get_inManyTasks_returnsTheResultToAll() async throws {
    let publisher = Publisher()
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 { group.addTask { try await publisher.get() } }
      group.addTask {
        publisher.settle(.success(1))
        return 0
      }
      return try await group.reduce(0, +)
    }
    XCTAssertEqual(sum, 50)
  }
}

extension ResultPublisher {
  /// Whether a subscriber still waits for the result.
  fileprivate var isAwaited: Bool {
    subscriberCount > 0
  }
}
