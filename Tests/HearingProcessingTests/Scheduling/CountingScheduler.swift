import HearingProcessing
import TestSupport

/// A scheduler that counts scheduled and pending work. Its tokens call a closure, as the tokens of
/// an app's own scheduler may do.
final class CountingScheduler: DeadlineScheduler {
  private let scheduler: any DeadlineScheduler
  private let counts = Guarded((scheduled: 0, pending: 0))
  private let onCancel: @Sendable () -> Void

  /// - Parameter onCancel: Called when a token is cancelled or released. This is also true if the
  ///   work of the token has already run.
  init(
    _ scheduler: any DeadlineScheduler, onCancel: @escaping @Sendable () -> Void = {}
  ) {
    self.scheduler = scheduler
    self.onCancel = onCancel
  }

  var scheduled: Int { counts.withLock { $0.scheduled } }
  var pending: Int { counts.withLock { $0.pending } }
  var now: Duration { scheduler.now }

  func schedule(
    at deadline: Duration, _ work: @escaping @Sendable () -> Void
  ) -> ObservationToken {
    counts.withLock { $0.scheduled += 1 }
    counts.withLock { $0.pending += 1 }
    let isPending = Canary { [self] in counts.withLock { $0.pending -= 1 } }
    let token = scheduler.schedule(at: deadline) {
      isPending.sing()
      work()
    }
    return ObservationToken { [onCancel] in
      token.cancel()
      onCancel()
    }
  }
}
