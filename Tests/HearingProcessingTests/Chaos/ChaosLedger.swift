import HearingProcessing

/// Records pending results and faults. Every result must settle exactly once.
final class ChaosLedger: Sendable {
  private let state = Lock(State())

  private struct State: Sendable {
    var count = 0
    var open: [Int: String] = [:]
    var faults: [String] = []
    var endings: [String: Int] = [:]
  }

  /// The number of settled results for each outcome, as text.
  var endings: String {
    let endings = state.withLock { $0.endings }
    return endings.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }
      .joined(separator: ", ")
  }

  /// The number of results that were watched.
  var count: Int { state.withLock { $0.count } }

  /// The results that have not settled yet, as text.
  var open: [String] {
    state.withLock { state in state.open.sorted { $0.key < $1.key }.map { "#\($0.key) \($0.value)" }
    }
  }

  var isEmpty: Bool { state.withLock { $0.open.isEmpty } }

  var faults: [String] { state.withLock { $0.faults } }

  func fault(_ what: String) {
    state.withLock { state in
      if state.faults.count < 20 { state.faults.append(what) }
    }
  }

  /// Watches `result` until it settles.
  func watch<Value, Failure>(
    _ result: ResultPublisher<Value, Failure>, _ what: String,
    then: @escaping @Sendable () -> Void = {}
  ) {
    let number = open(what)
    let values = Lock(0)
    result.observe { [self] outcome in
      count(outcome)
      let isFirst = values.withLock { count in
        count += 1
        return count == 1
      }
      if isFirst { close(number, what) } else { fault("settled twice: \(what)") }
      then()
    }
  }

  private func count<Value, Failure>(_ outcome: Result<Value, Failure>) {
    var ending = "success"
    if case .failure(let error) = outcome { ending = "\(error)" }
    state.withLock { $0.endings[ending, default: 0] += 1 }
  }

  func open(_ what: String) -> Int {
    state.withLock { state in
      state.count += 1
      state.open[state.count] = what
      return state.count
    }
  }

  func close(_ number: Int, _ what: String) {
    if state.withLock({ $0.open.removeValue(forKey: number) }) == nil {
      fault("ended twice: \(what)")
    }
  }
}
