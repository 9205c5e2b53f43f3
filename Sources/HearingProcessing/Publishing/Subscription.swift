/// One subscriber of a `CurrentValueSource`.
// Sendable because `joinedAt` and `backlog` are only reached under the roster's lock (`joinedAt` is
// constant once the subscription is in the roster), and the rest is constant.
@usableFromInline final class Subscription<Value: Sendable>: Subscriber, @unchecked Sendable {
  @usableFromInline let receive: @Sendable (Value) -> Void
  @usableFromInline let finish: (@Sendable () -> Void)?

  /// The publication that the subscriber saw when it joined; it gets only later ones.
  @usableFromInline @exclusivity(unchecked) var joinedAt: UInt64 = 0
  /// What was published while the subscriber still received its first value.
  @usableFromInline @exclusivity(unchecked) var backlog = FIFO<Value>()

  @inlinable
  init(
    _ roster: SubscriberRoster,
    receive: @escaping @Sendable (Value) -> Void,
    finish: (@Sendable () -> Void)?
  ) {
    self.receive = receive
    self.finish = finish
    super.init(roster)
  }

  @usableFromInline
  override func end() {
    finish?()
  }
}
