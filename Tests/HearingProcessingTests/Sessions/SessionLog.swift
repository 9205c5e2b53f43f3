import HearingProcessing
import TestSupport

/// Whole histories in words: what publishers and results told, in order.
final class SessionLog: Sendable {
  private let recorder = Recorder<String>()
  private let tokens = Recorder<ObservationToken>()

  var events: [String] { recorder.events }

  func note(_ event: String) {
    recorder.record(event)
  }

  func watch<Value>(_ publisher: CurrentValuePublisher<Value>, _ name: String) {
    tokens.record(publisher.sink { [recorder] in recorder.record("\(name) \($0)") })
  }

  func watch<Value, Failure>(_ result: ResultPublisher<Value, Failure>, _ name: String) {
    let token = result.sink { [recorder] completion in
      switch completion {
      case .finished: recorder.record("\(name) done")
      case .failure(let error): recorder.record("\(name) failed: \(error)")
      }
    } receiveValue: { [recorder] in
      recorder.record("\(name) = \($0)")
    }
    tokens.record(token)
  }
}

extension ResultPublisher {
  /// Waits for the result; the error if it is one.
  func failure() async -> Failure? {
    do {
      _ = try await get()
      return nil
    } catch {
      return error as? Failure
    }
  }
}

extension ResultPublisher {
  /// The error, if the result is there and is one.
  var failureNow: Failure? {
    let failures = Recorder<Failure>()
    _ = sink { completion in
      if case .failure(let failure) = completion { failures.record(failure) }
    } receiveValue: { _ in
    }
    return failures.events.first
  }

  /// The value, if the result is there and is one.
  var valueNow: Value? {
    let values = Recorder<Value>()
    _ = sink { _ in
    } receiveValue: {
      values.record($0)
    }
    return values.events.first
  }
}
