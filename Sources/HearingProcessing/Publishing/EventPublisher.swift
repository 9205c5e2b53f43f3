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
