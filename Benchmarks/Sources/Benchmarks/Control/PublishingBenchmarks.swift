@_spi(Measuring) import HearingProcessing
import Synchronization

/// The cost of publishers, compared with minimal hand-written equivalents.
enum PublishingBenchmarks {
  static func run(into table: inout Table) {
    for subscribers in [0, 1, 8, 64] {
      table.add(
        "publish to \(subscribers) subscribers",
        [0: nil, 1: 110, 8: 800, 64: 6_000][subscribers] ?? nil,
        publish(to: subscribers))
    }
    for subscribers in [1_000, 100_000] {
      let cost = publish(to: subscribers)
      table.add("publish to \(subscribers), per subscriber", nil, cost.divided(by: subscribers))
    }
    table.add("  by hand: one closure in an array behind a lock", nil, publishByHand())
    table.add("one-shot: make, subscribe, resolve, free", 1_100, oneShot())
    table.add("  by hand: one continuation resumed", nil, continuationByHand())
    for others in [0, 1_000, 100_000] {
      table.add(
        "subscribe + cancel beside \(others) others", 950, subscribeAndCancel(beside: others))
    }
  }

  private static func publish(to subscribers: Int) -> Measurement {
    let publisher = CurrentValuePublisher<Int>(initialValue: 0)
    let sum = Sum()
    let tokens = (0..<subscribers).map { _ in publisher.sink { sum.add($0) } }
    let sends = max(1, 200_000 / max(1, subscribers))
    defer { keep(tokens) }
    return .nanoseconds(operations: sends) {
      for value in 0..<sends { publisher.send(value) }
    }
  }

  private static func publishByHand() -> Measurement {
    struct State { var value = 0; var closures: [@Sendable (Int) -> Void] = [] }
    let state = Mutex(State())
    let sum = Sum()
    state.withLock { $0.closures.append { sum.add($0) } }
    return .nanoseconds(operations: 200_000) {
      for value in 0..<200_000 {
        let closures = state.withLock { state in
          state.value = value
          return state.closures
        }
        for closure in closures { closure(value) }
      }
    }
  }

  private static func oneShot() -> Measurement {
    let sum = Sum()
    return .nanoseconds(operations: 100_000) {
      for value in 0..<100_000 {
        let result = ResultPublisher<Int, ParameterError>.pending()
        let token = result.sink { _ in
          sum.add(1)
        } receiveValue: {
          sum.add($0)
        }
        result.complete(with: .success(value))
        keep(token)
      }
    }
  }

  private static func continuationByHand() -> Measurement {
    let cost = Mutex(Measurement(best: 0, median: 0, allocations: 0))
    let done = Mutex(false)
    Task {
      let clock = ContinuousClock()
      var times: [Double] = []
      for _ in 0..<15 {
        let start = clock.now
        for value in 0..<20_000 {
          keep(await withCheckedContinuation { $0.resume(returning: value) })
        }
        times.append((clock.now - start) / .nanoseconds(1) / 20_000)
      }
      times.sort()
      cost.withLock { $0 = .init(best: times[0], median: times[7], allocations: .nan) }
      done.withLock { $0 = true }
    }
    while !done.withLock({ $0 }) {}
    return cost.withLock { $0 }
  }

  private static func subscribeAndCancel(beside others: Int) -> Measurement {
    let publisher = CurrentValuePublisher<Int>(initialValue: 0)
    let sum = Sum()
    let tokens = (0..<others).map { _ in publisher.sink { sum.add($0) } }
    defer { keep(tokens) }
    return .nanoseconds(operations: 50_000) {
      for _ in 0..<50_000 { publisher.sink { sum.add($0) }.cancel() }
    }
  }
}

/// Does a small amount of work for each value, as a subscriber.
final class Sum: Sendable {
  private let sum = Atomic(0)

  @inline(__always)
  func add(_ value: Int) {
    sum.store(value, ordering: .relaxed)
  }
}
