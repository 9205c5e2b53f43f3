// Publishers that show the values of another publisher in a different form. A view does not
// subscribe by itself: each of its subscribers subscribes to the source, and the work is done once
// per subscriber.

extension CurrentValuePublisher {
  /// A view of the values that `transform` returns.
  ///
  ///     let token = session.intensity.$value.map { "\(Int(100 * $0)) %" }.sink { label.set($0) }
  ///
  /// - Parameter transform: Called for each subscriber and each value, on the thread that
  ///   publishes, and for each reading of `value`; never under a lock.
  public func map<Mapped: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Mapped
  ) -> CurrentValuePublisher<Mapped> {
    let (publisher, attach) = (self, attachment)
    return CurrentValuePublisher<Mapped>(
      DerivedValue(value: { transform(publisher.value) }) { finish, receive in
        attach(finish) { receive(transform($0)) }
      })
  }

  /// Subscribes.
  ///
  /// - Parameter finish: Called when no more values will follow.
  func sink(
    finish: (@Sendable () -> Void)?, receiveValue: @escaping @Sendable (Value) -> Void
  ) -> ObservationToken {
    if let source { return source.sink(finish: finish, receiveValue: receiveValue) }
    return attachment(finish, receiveValue) ?? ObservationToken()
  }

  /// A closure that subscribes as `sink` does; it does not keep the source alive.
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
  /// A view that omits a value equal to the previous one.
  public func removeDuplicates() -> CurrentValuePublisher {
    let (publisher, attach) = (self, attachment)
    return CurrentValuePublisher(
      DerivedValue(value: { publisher.value }) { finish, receive in
        attach(finish, Self.leavingOutDuplicates(receive))
      })
  }

  private static func leavingOutDuplicates(
    _ receive: @escaping @Sendable (Value) -> Void
  ) -> @Sendable (Value) -> Void {
    let last = Lock<Value?>(nil)
    return { value in
      // Calls to one subscriber do not overlap; `==` runs outside the lock.
      guard last.withLock({ $0 }) != value else { return }
      last.store(value)
      receive(value)
    }
  }
}

/// The functions of a view, which replace those of a source.
struct DerivedValue<Value: Sendable>: Sendable {
  typealias Receive = @Sendable (Value) -> Void
  typealias Finish = (@Sendable () -> Void)?
  /// Subscribes; nil if the source was released.
  typealias Attach = @Sendable (Finish, @escaping Receive) -> ObservationToken?

  let value: @Sendable () -> Value
  let attach: Attach
}
