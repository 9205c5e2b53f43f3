/// The one-shot result as a state machine: pending until settled, settled for good.
@usableFromInline
struct OneShot<Value: Sendable, Failure: Error, Subscriber: Leaving & Sendable>: Sendable {
  @usableFromInline var outcome: Result<Value, Failure>?
  @usableFromInline var subscribers: ContiguousArray<Subscriber> = []
  /// How many subscribers there may be before those that have left are let go of.
  @usableFromInline var room = 16

  @inlinable
  init() {}

  /// Somebody wants the result: returned if it is there, else the subscriber waits.
  ///
  /// Those that have left are found here, at a cost that is constant on the average, so that
  /// leaving needs nothing of this.
  @inlinable
  mutating func subscribe(_ subscriber: Subscriber) -> Result<Value, Failure>? {
    guard outcome == nil else { return outcome }
    if subscribers.count >= room {
      subscribers.removeAll { $0.hasLeft }
      room = max(16, 2 * subscribers.count)
    }
    subscribers.append(subscriber)
    return nil
  }

  /// The result is there: returns who waited for it, in order; nil if it was settled before.
  @inlinable
  mutating func settle(_ result: Result<Value, Failure>) -> ContiguousArray<Subscriber>? {
    guard outcome == nil else { return nil }
    outcome = result
    let waiting = subscribers
    subscribers = []
    return waiting
  }
}

/// A subscriber that can leave while it waits.
@usableFromInline
protocol Leaving: AnyObject {
  /// Whether it no longer waits. It has let go of everything a user gave it, or is about to.
  var hasLeft: Bool { get }
}
