import HearingProcessing
import TestSupport

/// A log of the values and results of publishers. Each entry is text, and the entries are in order.
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

  /// Adds handlers to an applicator. The applicator accepts every value. The handlers log the calls
  /// of `canApply` and `apply`.
  func noting<Value>(
    _ applicator: ProcessingApplicator<Value>, _ name: String,
    _ words: @escaping @Sendable (Value) -> String
  ) -> ProcessingApplicator<Value> {
    applicator.canApply { [self] _ in
      note("can \(name)")
      return true
    }.apply { [self] value, result in
      note("\(name) \(words(value))")
      result(.success)
    }
  }
}

extension ResultPublisher {
  /// Waits for the result. Returns the error of the result, or nil on success.
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
  /// The error of the result. It is nil on success, or if the result has not settled yet.
  var failureNow: Failure? {
    let failures = Recorder<Failure>()
    _ = sink { completion in
      if case .failure(let failure) = completion { failures.record(failure) }
    } receiveValue: { _ in
    }
    return failures.events.first
  }

  /// The value of the result. It is nil on failure, or if the result has not settled yet.
  var valueNow: Value? {
    let values = Recorder<Value>()
    _ = sink { _ in
    } receiveValue: {
      values.record($0)
    }
    return values.events.first
  }
}
