/// The one-shot result as a state machine: pending until settled, settled for good.
@usableFromInline
struct OneShot<Value: Sendable, Failure: Error, Subscriber: Slotted & Sendable>: Sendable {
  @usableFromInline var outcome: Result<Value, Failure>?
  @usableFromInline var subscribers = OrderedSlots<Subscriber>()

  @inlinable
  init() {}

  /// Somebody wants the result: returned if it is there, else the subscriber waits.
  @inlinable
  mutating func subscribe(_ subscriber: Subscriber) -> Result<Value, Failure>? {
    if outcome == nil { subscribers.append(subscriber) }
    return outcome
  }

  /// The result is there: returns who waited for it, in order; nil if it was settled before.
  @inlinable
  mutating func settle(
    _ result: Result<Value, Failure>
  ) -> ContiguousArray<Subscriber?>? {
    guard outcome == nil else { return nil }
    outcome = result
    return subscribers.removeAll()
  }

  @inlinable
  mutating func unsubscribe(_ subscriber: Subscriber) -> Subscriber? {
    subscribers.remove(subscriber)
  }
}
