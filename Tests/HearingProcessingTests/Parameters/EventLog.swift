import TestSupport
import HearingProcessing

/// A log of events as text, in order.
final class EventLog: Sendable {
  private let state = Guarded<(events: [String], tokens: [ObservationToken])>(([], []))

  var events: [String] { state.withLock { $0.events } }

  func note(_ event: String) {
    state.withLock { $0.events.append(event) }
  }

  /// Returns the events since the last call of this function, and removes them.
  func drain() -> [String] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  /// Logs each new value of a publisher. Does not log the value at the time of the call.
  func watch<Value>(_ name: String = "value", _ publisher: CurrentValuePublisher<Value>) {
    let isFirst = Guarded(true)
    keep(
      publisher.sink { [self] value in
        let skips = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if !skips { note("\(name) \(value)") }
      })
  }

  /// Logs each new update state. Does not log the state at the time of the call.
  func watchUpdates<Value>(of parameter: ProcessingParameter<Value>) {
    let isFirst = Guarded(true)
    keep(
      parameter.$updateState.sink { [self] update in
        let skips = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if !skips { note(update.words) }
      })
  }

  /// Logs the value and the completion of a result.
  func watch<Value>(_ name: String, _ result: ResultPublisher<Value, ParameterError>) {
    keep(
      result.sink { [self] completion in
        switch completion {
        case .finished: note("\(name) finished")
        case .failure(let error): note("\(name) failed: \(error.word)")
        }
      } receiveValue: { [self] value in
        note("\(name) = \(value)")
      })
  }

  private func keep(_ token: ObservationToken) {
    state.withLock { $0.tokens.append(token) }
  }
}

/// The error of a simulated device that fails.
struct DeviceFailure: Error, Equatable {}

extension ParameterError {
  /// The name of the enum case.
  var word: String {
    switch self {
    case .cannotApply: "cannotApply"
    case .applyFailed(let error, _):
      "applyFailed(\(error is DeviceFailure ? "device" : "\(error)"))"
    case .applyTimeoutExceeded: "applyTimeoutExceeded"
    case .abandoned: "abandoned"
    case .superseded: "superseded"
    case .interrupted: "interrupted"
    case .invalidValue: "invalidValue"
    case .sessionDeactivated: "sessionDeactivated"
    case .loadFailed: "loadFailed"
    }
  }
}

extension ProcessingParameter {
  /// Acquires each lock of the parameter, one after another. If this thread already holds one of
  /// the locks, the call hangs.
  func acquireEveryLock() {
    _ = deliveryMode
    _ = value
    _ = updateState
  }
}

extension RemoteProcessingParameter {
  /// Acquires each lock of the parameter, one after another. If this thread already holds one of
  /// the locks, the call hangs.
  func acquireEveryLock() {
    _ = synchronizeApplicators()
    _ = value
    _ = updateState
  }
}

extension UpdateState {
  /// The name of the enum case, with its associated values.
  var words: String {
    switch self {
    case .applied: "applied"
    case .waiting: "waiting"
    case .loading: "loading"
    case .applying(let value): "applying \(value)"
    case .failed(let value, let error): "failed \(value) \(error.word)"
    }
  }
}
