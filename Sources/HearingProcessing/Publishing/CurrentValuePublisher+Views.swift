// A view is a publisher that derives its values from another publisher. A view has no subscription
// of its own. Each subscriber of a view has its own subscription to the source. The view derives
// the values separately for each subscriber.

extension CurrentValuePublisher {
  /// Returns a publisher of the values that `transform` returns.
  ///
  ///     let token = session.intensity.$value.map { "\(Int(100 * $0)) %" }.sink { label.set($0) }
  ///
  /// - Parameter transform: Called once for each subscriber and each published value, on the thread
  ///   that publishes the value. The closure is also called each time the app reads `value` of the
  ///   returned publisher. The closure is never called under a lock.
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

  /// A closure that subscribes like `sink`, but does not retain the source.
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
          // Calls to one subscriber do not overlap. Values are compared with `==` outside the lock.
          guard last.withLock({ $0 }) != value else { return }
          last.store(value)
          receive(value)
        }
      })
  }
}

/// The closures of a derived publisher: one closure reads the current value, the other closure
/// subscribes to the source.
struct DerivedValue<Value: Sendable>: Sendable {
  typealias Receive = @Sendable (Value) -> Void
  typealias Finish = (@Sendable () -> Void)?
  /// Subscribes to the source. Returns nil if the source was released.
  typealias Attach = @Sendable (Finish, @escaping Receive) -> ObservationToken?

  let value: @Sendable () -> Value
  let attach: Attach
}
