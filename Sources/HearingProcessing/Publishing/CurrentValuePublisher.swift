/// Publishes a current value and every change of it.
///
///     let token = session.intensity.$value.sink { print("intensity \($0)") }
///     for await value in session.intensity.$value.values { … }
///
/// Copies share the same source. The publisher is read-only; values are set through parameters.
/// All subscribers see the same sequence of values, in order of subscription. They are never called
/// under a lock: subscribing, cancelling and applying from inside a subscriber are legal.
public struct CurrentValuePublisher<Value: Sendable>: Sendable {
  /// Nil for a view of another publisher.
  let source: CurrentValueSource<Value>?
  let view: DerivedValue<Value>?

  package init(_ source: CurrentValueSource<Value>) {
    self.source = source
    view = nil
  }

  init(_ view: DerivedValue<Value>) {
    source = nil
    self.view = view
  }

  /// A publisher whose value never changes, for an app's own tests and previews.
  public static func constant(_ value: Value) -> CurrentValuePublisher {
    CurrentValuePublisher(CurrentValueSource(value))
  }

  /// The current value.
  public var value: Value {
    if let source { return source.value }
    return derivedValue
  }

  /// Calls `receiveValue` with the current value before this returns, then with each new one.
  ///
  /// - Parameter receiveValue: Called on the thread that publishes; calls never overlap.
  /// - Returns: The token that retains the subscription; it does not retain the publisher's source.
  public func sink(
    receiveValue: @escaping @Sendable (Value) -> Void
  ) -> ObservationToken {
    sink(finish: nil, receiveValue: receiveValue)
  }

  /// Calls `receiveValue` on the main actor with the current value and then with newer ones, for
  /// views. A value that is replaced before the main actor can receive it is skipped.
  ///
  /// - Returns: The token that retains the subscription. If it is cancelled on the main actor, no
  ///   call follows after `cancel()` has returned.
  public func sinkOnMainActor(
    receiveValue: @escaping @MainActor @Sendable (Value) -> Void
  ) -> ObservationToken {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let token = sink(finish: { continuation.finish() }) { continuation.yield($0) }
    let task = Task { @MainActor in
      for await value in stream where !Task.isCancelled {
        receiveValue(value)
        await Task.yield()
      }
    }
    return ObservationToken {
      token.cancel()
      task.cancel()
    }
  }

  /// The values as an async sequence, beginning with the current one.
  ///
  /// A slow reader gets the newest value, not all of them. Each iterator has its own subscription.
  /// The sequence does not keep its source alive; it ends when the source is released, when its
  /// session is deactivated, or when the task that iterates is cancelled.
  public var values: some AsyncSequence<Value, Never> & Sendable {
    CurrentValues(attachment)
  }
}

/// An observable property: `value` reads it, `$value` is its publisher.
///
/// The declaring type sets it through the source; the property itself is read-only.
@propertyWrapper
public struct CurrentValue<Value: Sendable>: Sendable {
  let source: CurrentValueSource<Value>

  init(_ source: CurrentValueSource<Value>) {
    self.source = source
  }

  /// The current value; `withObservationTracking` records the access.
  public var wrappedValue: Value { source.observedValue }

  /// The publisher of the value.
  public var projectedValue: CurrentValuePublisher<Value> {
    CurrentValuePublisher(source)
  }
}

/// The values of a source as an async sequence that keeps only the newest.
struct CurrentValues<Value: Sendable>: AsyncSequence, Sendable {
  private let attach: DerivedValue<Value>.Attach

  init(_ attach: @escaping DerivedValue<Value>.Attach) {
    self.attach = attach
  }

  func makeAsyncIterator() -> AsyncStream<Value>.Iterator {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let token = attach({ continuation.finish() }) { continuation.yield($0) }
    guard let token else {
      continuation.finish()
      return stream.makeAsyncIterator()
    }
    continuation.onTermination = { _ in token.cancel() }
    return stream.makeAsyncIterator()
  }
}
