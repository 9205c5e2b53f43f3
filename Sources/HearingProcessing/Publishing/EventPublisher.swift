/// Publishes events as they happen; it has no current value.
///
///     let token = passThru.audioData.sink { chunk in meter.add(chunk) }
///     for await chunk in passThru.audioData.events { … }
///
/// Copies share the same source. All subscribers see the same sequence of events, from their
/// subscription on, and are called in order of subscription, never under a lock. For a value that
/// always exists, see `CurrentValuePublisher`.
public struct EventPublisher<Event: Sendable>: Sendable {
  let source: EventSource<Event>

  package init(_ source: EventSource<Event>) {
    self.source = source
  }

  /// Calls `receiveEvent` with each event from now on.
  ///
  /// - Parameter receiveEvent: Called on the thread that publishes; calls never overlap.
  /// - Returns: The token that retains the subscription; it does not retain the publisher's source.
  public func sink(receiveEvent: @escaping @Sendable (Event) -> Void) -> ObservationToken {
    source.source.sinkToNextValues { event in
      if let event { receiveEvent(event) }
    }
  }

  /// The events as an async sequence, from the call on.
  ///
  /// No event is dropped: events queue in memory if the reader is slower. The sequence does not
  /// keep its source alive; it ends when the source is released or the task that iterates is
  /// cancelled.
  public var events: AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
    let token = source.source.sinkToNextValues(finish: { continuation.finish() }) { event in
      if let event { continuation.yield(event) }
    }
    continuation.onTermination = { _ in token.cancel() }
    return stream
  }
}

/// The source behind an `EventPublisher`: notifies its subscribers of events.
///
/// Delivers as a `CurrentValueSource` does: one thread at a time, one sequence for all subscribers,
/// none called under a lock. The newest event is retained until the next one.
package final class EventSource<Event: Sendable>: Sendable {
  let source = CurrentValueSource<Event?>(nil)

  package init() {}

  /// Sends `event` to the subscribers.
  package func send(_ event: Event) {
    source.send(event)
  }
}
