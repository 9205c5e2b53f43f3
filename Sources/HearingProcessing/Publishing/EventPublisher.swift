/// Publishes each event when the event happens. An event publisher has no current value.
///
///     let token = passThru.audioData.sink { chunk in meter.add(chunk) }
///     for await chunk in passThru.audioData.events { … }
///
/// All copies of a publisher publish the same events. A subscriber receives all events that happen
/// after the subscription. The order of events is the same for all subscribers. For each event, the
/// subscribers are called in the order of their subscriptions. No subscriber is called while this
/// package holds a lock. For a value that always exists, use `CurrentValuePublisher`.
public struct EventPublisher<Event: Sendable>: Sendable {
  let source: EventSource<Event>

  package init(_ source: EventSource<Event>) {
    self.source = source
  }

  /// Calls `receiveEvent` with each event that happens after the subscription.
  ///
  /// - Parameter receiveEvent: Called on the thread that publishes the event. The calls never
  ///   overlap.
  /// - Returns: The token that retains the subscription. The token does not retain the publisher's
  ///   source.
  public func sink(receiveEvent: @escaping @Sendable (Event) -> Void) -> ObservationToken {
    source.source.sink(deliversCurrent: false) { event in
      if let event { receiveEvent(event) }
    }
  }

  /// An async sequence of all events that happen after this property is read.
  ///
  /// No event is lost. If the reader is slower than the publisher, events are buffered in memory
  /// without a limit. The sequence does not retain its source. The sequence ends when the source is
  /// released or the iterating task is cancelled.
  public var events: AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
    let token = source.source.sink(
      deliversCurrent: false, finish: { continuation.finish() }
    ) { event in
      if let event { continuation.yield(event) }
    }
    continuation.onTermination = { _ in token.cancel() }
    return stream
  }
}

/// Delivers events to the subscribers of an `EventPublisher`.
///
/// A `CurrentValueSource` delivers the events. Only one thread at a time delivers events. No
/// subscriber is called under a lock. An event is retained until the next event is sent.
package final class EventSource<Event: Sendable>: Sendable {
  let source = CurrentValueSource<Event?>(nil)

  package init() {}

  /// Sends `event` to the subscribers.
  package func send(_ event: Event) {
    source.send(event)
  }
}
