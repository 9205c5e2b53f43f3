import HearingProcessing
import Synchronization

/// A place for the token of an observation that nobody else keeps.
final class KeptObservation: Sendable {
  private let kept = Mutex<ObservationToken?>(nil)

  var token: ObservationToken? {
    get { kept.withLock { $0 } }
    set {
      _ = kept.withLock { kept in
        let displaced = kept
        kept = newValue
        return displaced
      }
    }
  }
}
