import HearingProcessing
import Synchronization

extension ResultPublisher {
  /// Calls `perform` exactly once: immediately if there is a result, otherwise when the result
  /// arrives.
  func whenSettled(_ perform: @escaping @Sendable (Result<Value, Failure>) -> Void) {
    // The closure retains the observation until the result arrives.
    let observation = PendingObservation()
    observation.token = sink { completion in
      if case .failure(let error) = completion { perform(.failure(error)) }
      observation.token = nil
    } receiveValue: {
      perform(.success($0))
    }
  }
}

/// Holds the token of an observation until the result arrives.
private final class PendingObservation: Sendable {
  private let held = Mutex<ObservationToken?>(nil)

  var token: ObservationToken? {
    get { held.withLock { $0 } }
    set {
      // The previous token is released outside the lock.
      _ = held.withLock { held in
        let previous = held
        held = newValue
        return previous
      }
    }
  }
}
