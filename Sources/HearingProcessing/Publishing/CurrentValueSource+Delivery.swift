public import Synchronization

extension CurrentValueSource.State {
  @inlinable
  mutating func store(
    _ newValue: Value, isObserved: Bool
  ) -> CurrentValueSource.Publication {
    let displaced = value
    value = newValue
    number += 1
    if subscribers.isEmpty && !isObserved && !isDelivering {
      return .init(displaced: displaced, round: nil)
    }
    let publication = CurrentValueSource.Numbered(value: newValue, number: number)
    if isDelivering {
      waiting.append(publication)
      return .init(displaced: displaced, round: nil)
    }
    isDelivering = true
    return .init(
      displaced: displaced,
      round: .init(publication: publication, subscribers: subscribers.places))
  }

  /// The round after the one just delivered, or what is left to finish.
  @inlinable
  mutating func nextRound() -> CurrentValueSource.Next {
    if let publication = waiting.popFirst() {
      return .round(.init(publication: publication, subscribers: subscribers.places))
    }
    isDelivering = false
    return isFinished ? .finish(letGo()) : .none
  }

  mutating func finish() -> ContiguousArray<Subscription<Value>?> {
    isFinished = true
    return isDelivering ? [] : letGo()
  }

  /// Takes everybody out, and returns those who are to be told that no more values come. Who still
  /// receives the first value is told after it, by the thread that delivers it.
  @usableFromInline
  mutating func letGo() -> ContiguousArray<Subscription<Value>?> {
    var released = subscribers.removeAll()
    released.removeAll { $0?.phase.load(ordering: .acquiring) == .joining }
    return released
  }

  /// What `subscription` gets after its first value: all that came meanwhile, one by one; then it
  /// is live, or at the end.
  @inlinable
  mutating func join(_ subscription: Subscription<Value>) -> CurrentValueSource.Joining {
    if let next = subscription.backlog.popFirst() { return .value(next) }
    _ = subscription.phase.compareExchange(
      expected: .joining, desired: .live, ordering: .acquiringAndReleasing)
    return isFinished && subscription.slot < 0 ? .finished : .live
  }

  /// A late publication for a subscriber that may still be receiving its first value: true if it
  /// is to be called now, by the caller.
  @inlinable
  mutating func isReady(
    _ subscription: Subscription<Value>, for publication: CurrentValueSource.Numbered
  ) -> Bool {
    switch subscription.phase.load(ordering: .acquiring) {
    case .live: return true
    case .cancelled: return false
    case .joining:
      subscription.backlog.append(publication.value)
      return false
    }
  }
}

extension CurrentValueSource {
  @usableFromInline
  enum Next: Sendable {
    case none
    case round(Round)
    case finish(ContiguousArray<Subscription<Value>?>)
  }

  @usableFromInline
  enum Joining: Sendable {
    case value(Value)
    case live
    case finished
  }

  /// Delivers what `enqueue` returned, and all that is sent meanwhile.
  @inlinable
  func deliver(_ publication: Publication) {
    guard var round = publication.round else { return }
    while true {
      tell(round)
      switch state.withLock({ $0.nextRound() }) {
      case .none:
        return
      case .round(let next):
        round = next
      case .finish(let subscribers):
        for subscription in subscribers { subscription?.finish?() }
        return
      }
    }
  }

  @inlinable
  func tell(_ round: Round) {
    observation?.didChange()
    let publication = round.publication
    for case .some(let subscription) in round.subscribers {
      guard publication.number > subscription.joinedAt else { continue }
      switch subscription.phase.load(ordering: .acquiring) {
      case .live:
        subscription.receive(publication.value)
      case .cancelled:
        break
      case .joining:
        if state.withLock({ $0.isReady(subscription, for: publication) }) {
          subscription.receive(publication.value)
        }
      }
    }
  }

  /// Subscribes, and delivers the current value before it returns.
  ///
  /// - Parameter finish: Called when no more values can come.
  @inlinable
  func sink(
    finish: (@Sendable () -> Void)? = nil,
    receiveValue: @escaping @Sendable (Value) -> Void
  ) -> ObservationToken {
    let subscription = Subscription(source: self, receive: receiveValue, finish: finish)
    let first = state.withLock { state in
      subscription.joinedAt = state.number
      if !state.isFinished { state.subscribers.append(subscription) }
      return state.value
    }
    receiveValue(first)
    while true {
      switch state.withLock({ $0.join(subscription) }) {
      case .value(let next):
        receiveValue(next)
      case .live:
        return ObservationToken(subscription)
      case .finished:
        finish?()
        return ObservationToken()
      }
    }
  }

  @inlinable
  func remove(_ subscription: Subscription<Value>) {
    _ = state.withLock { $0.subscribers.remove(subscription) }
  }
}
