internal import Synchronization

/// Something that tells of events as they happen, and has no value in between.
///
///     let token = passThru.audioData.sink { chunk in meter.add(chunk) }
///     for await chunk in passThru.audioData.events { … }
///
/// A view: copies look at the same source. All subscribers see the same sequence of events, from
/// their subscription on, and are called in order of subscription, never under a lock. What has a
/// value at any time has a `CurrentValuePublisher` instead.
public struct EventPublisher<Event: Sendable>: Sendable {
  let source: EventSource<Event>

  package init(_ source: EventSource<Event>) {
    self.source = source
  }

  /// Calls `receiveEvent` with each event from now on.
  ///
  /// - Parameter receiveEvent: Called on the thread that publishes; calls never overlap.
  /// - Returns: The token that keeps the subscription; it does not keep the publisher's source.
  public func sink(receiveEvent: @escaping @Sendable (Event) -> Void) -> ObservationToken {
    source.source.sinkToLater { event in
      if let event { receiveEvent(event) }
    }
  }

  /// The events as an async sequence, from the call on.
  ///
  /// None is left out: a reader that is slower than the events lets memory grow. The sequence does
  /// not keep its source alive; it ends when the source is released or the task that iterates is
  /// cancelled.
  public var events: AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
    let token = source.source.sinkToLater(finish: { continuation.finish() }) { event in
      if let event { continuation.yield(event) }
    }
    continuation.onTermination = { _ in token.cancel() }
    return stream
  }
}

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
