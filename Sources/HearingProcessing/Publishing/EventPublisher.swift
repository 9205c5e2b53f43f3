/// Publishes events as they happen; it has no current value.
///
///     let token = passThru.audioData.sink { chunk in meter.add(chunk) }
///     for await chunk in passThru.audioData.events { … }
///
/// Copies share the same source. After it has subscribed, each subscriber sees the same sequence of
/// events as the others. Subscribers are called in order of subscription, never under a lock. For a
/// value that always exists, see `CurrentValuePublisher`.
public struct EventPublisher<Event: Sendable>: Sendable {
  let source: EventSource<Event>

  package init(_ source: EventSource<Event>) {
    self.source = source
  }

  /// Calls `receiveEvent` with each later event.
  ///
  /// - Parameter receiveEvent: Called on the thread that publishes; calls never overlap.
  /// - Returns: The token that retains the subscription; it does not retain the publisher's source.
  public func sink(receiveEvent: @escaping @Sendable (Event) -> Void) -> ObservationToken {
    source.source.sinkToNextValues { event in
      if let event { receiveEvent(event) }
    }
  }

  /// The events after this call, as an async sequence.
  ///
  /// No event is lost: events queue in memory if the reader is slower. The sequence does not keep
  /// its source alive; it ends when the source is released or the task that iterates is cancelled.
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
/// Delivers as a `CurrentValueSource` does: one thread at a time delivers, all subscribers see the
/// same sequence, and no subscriber is called under a lock. The newest event is retained until the
/// next one.
package final class EventSource<Event: Sendable>: Sendable {
  let source = CurrentValueSource<Event?>(nil)

  package init() {}

  /// Sends `event` to the subscribers.
  package func send(_ event: Event) {
    source.send(event)
  }
}
