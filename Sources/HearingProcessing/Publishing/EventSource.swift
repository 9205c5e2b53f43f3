internal import Synchronization

/// Tells its subscribers of events as they happen: what an `EventPublisher` views.
///
/// Delivery is that of a `CurrentValueSource`: one thread at a time, one sequence for everybody, no
/// subscriber under a lock. The newest event is kept until the next one.
package final class EventSource<Event: Sendable>: Sendable {
  let source = CurrentValueSource<Event?>(nil)

  package init() {}

  /// Tells the subscribers of `event`.
  package func send(_ event: Event) {
    source.send(event)
  }
}

extension CurrentValueSource {
  /// Subscribes to what is sent from now on, without the current value.
  ///
  /// - Parameter finish: Called when no more values can come.
  func sinkToLater(
    finish: (@Sendable () -> Void)? = nil,
    receiveValue: @escaping @Sendable (Value) -> Void
  ) -> ObservationToken {
    let subscription = Subscription(roster, receive: receiveValue, finish: finish)
    let isOver = roster.state.withLock { state in
      subscription.joinedAt = state.number
      _ = subscription.phase.compareExchange(
        expected: .waiting, desired: .live, ordering: .acquiringAndReleasing)
      if !state.isFinished { state.subscribers.append(subscription) }
      return state.isFinished
    }
    guard !isOver else {
      finish?()
      return ObservationToken()
    }
    return ObservationToken(subscription)
  }
}
