// A view is a publisher that computes its values from the values of another publisher, the source.
// The view itself does not subscribe to the source. Each subscriber of the view has its own
// subscription to the source. For each subscriber, the view computes each value separately.

extension CurrentValuePublisher {
  /// Returns a publisher that applies `transform` to each value of this publisher.
  ///
  ///     let token = session.intensity.$value.map { "\(Int(100 * $0)) %" }.sink { label.set($0) }
  ///
  /// - Parameter transform: Called once for each subscriber and each published value, on the thread
  ///   that publishes the value. The closure is also called each time the app reads `value` of the
  ///   returned publisher. The closure is never called while this package holds a lock.
  public func map<Mapped: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Mapped
  ) -> CurrentValuePublisher<Mapped> {
    let (publisher, attach) = (self, attachment)
    return CurrentValuePublisher<Mapped>(
      DerivedValue(value: { transform(publisher.value) }) { finish, receive in
        attach(finish) { receive(transform($0)) }
      })
  }

  /// Subscribes to the values of this publisher.
  ///
  /// - Parameter finish: Called after the last value.
  func sink(
    finish: (@Sendable () -> Void)?, receiveValue: @escaping @Sendable (Value) -> Void
  ) -> ObservationToken {
    if let source { return source.sink(finish: finish, receiveValue: receiveValue) }
    return attachment(finish, receiveValue) ?? ObservationToken()
  }

  /// A closure that subscribes to the values, like `sink`. The closure does not retain the source
  /// of the values.
  var attachment: DerivedValue<Value>.Attach {
    if let view { return view.attach }
    return { [weak source] finish, receive in source?.sink(finish: finish, receiveValue: receive) }
  }

  var derivedValue: Value {
    guard let view else { preconditionFailure("a publisher without a source") }
    return view.value()
  }
}

extension CurrentValuePublisher where Value: Equatable {
  /// Returns a publisher that omits each value that is equal to the previous value.
  public func removeDuplicates() -> CurrentValuePublisher {
    let (publisher, attach) = (self, attachment)
    return CurrentValuePublisher(
      DerivedValue(value: { publisher.value }) { finish, receive in
        let last = Lock<Value?>(nil)
        return attach(finish) { value in
          // Calls to one subscriber never overlap. Therefore `last` does not change between the
          // following two accesses. The app's `==` must run outside the lock.
          guard last.withLock({ $0 }) != value else { return }
          last.store(value)
          receive(value)
        }
      })
  }
}

/// The two closures of a publisher that computes its values from the values of another publisher.
/// `value` computes the current value. `attach` subscribes to the source of the other publisher.
struct DerivedValue<Value: Sendable>: Sendable {
  typealias Receive = @Sendable (Value) -> Void
  typealias Finish = (@Sendable () -> Void)?
  /// Subscribes to the source. Returns nil if the source was released.
  typealias Attach = @Sendable (Finish, @escaping Receive) -> ObservationToken?

  let value: @Sendable () -> Value
  let attach: Attach
}
