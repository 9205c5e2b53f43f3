/// Publishes a current value, and every change of this value.
///
///     let token = session.intensity.$value.sink { print("intensity \($0)") }
///     for await value in session.intensity.$value.values { … }
///
/// All copies of a publisher publish the same values. A publisher is read-only. To change the value
/// of a parameter, call the method `apply` of the parameter. All subscribers receive the same
/// values in the same order. For each value, the subscribers are called in the order of their
/// subscriptions. No subscriber is called while this package holds a lock. While a subscriber is
/// called, it may subscribe, cancel subscriptions, and apply values.
public struct CurrentValuePublisher<Value: Sendable>: Sendable {
  /// The source of the values, or nil if this publisher derives the values from another publisher.
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

  /// Creates a publisher with a constant value. An app can use such a publisher in tests and in
  /// previews of its user interface.
  public static func constant(_ value: Value) -> CurrentValuePublisher {
    // The closure below retains the source, because nothing else retains the source.
    let source = CurrentValueSource(value)
    return CurrentValuePublisher(
      DerivedValue(value: { value }) { source.sink(finish: $0, receiveValue: $1) })
  }

  /// The current value.
  public var value: Value {
    if let source { return source.value }
    return derivedValue
  }

  /// Calls `receiveValue` with the current value, and later with each new value. The first call
  /// happens before this method returns.
  ///
  /// - Parameter receiveValue: Called on the thread that publishes the value. The calls never
  ///   overlap.
  /// - Returns: The token that retains the subscription. The token does not retain the publisher's
  ///   source.
  public func sink(
    receiveValue: @escaping @Sendable (Value) -> Void
  ) -> ObservationToken {
    sink(finish: nil, receiveValue: receiveValue)
  }

  /// Calls `receiveValue` on the main actor with the current value and then with newer values. Use
  /// this method to update a user interface. A value is skipped if a newer value is published
  /// before the main actor receives the value.
  ///
  /// - Returns: The token that retains the subscription. After `cancel()` is called on the main
  ///   actor, `receiveValue` is not called again.
  public func sinkOnMainActor(
    receiveValue: @escaping @MainActor @Sendable (Value) -> Void
  ) -> ObservationToken {
    .onMainActor(bufferingPolicy: .bufferingNewest(1), receiveValue) { continuation in
      sink(finish: { continuation.finish() }) { continuation.yield($0) }
    }
  }

  /// The values as an async sequence, beginning with the current value.
  ///
  /// A reader that is slower than the publisher may miss values, but always receives the newest
  /// value. Each iterator has its own subscription. The sequence does not retain its source. The
  /// sequence ends when the source is released, when the session is deactivated, or when the
  /// iterating task is cancelled.
  public var values: some AsyncSequence<Value, Never> & Sendable {
    CurrentValues(attachment)
  }
}

/// A property wrapper for an observable property. For a property with the name `value`, `value`
/// reads the current value, and `$value` is the publisher of the value.
///
/// The property is read-only. Only the type that declares the property can change the value, with a
/// `CurrentValueSource`.
@propertyWrapper
public struct CurrentValue<Value: Sendable>: Sendable {
  let source: CurrentValueSource<Value>

  init(_ source: CurrentValueSource<Value>) {
    self.source = source
  }

  /// The current value. `withObservationTracking` records each read of this property.
  public var wrappedValue: Value { source.observedValue }

  /// The publisher of the value.
  public var projectedValue: CurrentValuePublisher<Value> {
    CurrentValuePublisher(source)
  }
}

/// The values of a source as an async sequence. The sequence buffers only the newest value.
struct CurrentValues<Value: Sendable>: AsyncSequence, Sendable {
  private let attach: DerivedValue<Value>.Attach

  init(_ attach: @escaping DerivedValue<Value>.Attach) {
    self.attach = attach
  }

  func makeAsyncIterator() -> AsyncStream<Value>.Iterator {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let token = attach({ continuation.finish() }) { continuation.yield($0) }
    if let token {
      continuation.onTermination = { _ in token.cancel() }
    } else {
      continuation.finish()
    }
    return stream.makeAsyncIterator()
  }
}
