public import Synchronization

/// One subscriber of a value, whatever the value's type: what a roster lists and a token ends.
///
/// It is apart from `Subscription` because generic code that is reached through a token runs
/// unspecialised, and slowly.
// Sendable because `slot` is only reached under the roster's lock, and the rest is constant or
// atomic.
@usableFromInline class Subscriber: Slotted, Cancellable, @unchecked Sendable {
  @usableFromInline final let roster: SubscriberRoster
  @usableFromInline final let phase = Atomic(SubscriptionPhase.waiting)
  @usableFromInline @exclusivity(unchecked) final var slot = -1

  @inlinable
  init(_ roster: SubscriberRoster) {
    self.roster = roster
  }

  @inlinable
  final func cancel() {
    phase.store(.cancelled, ordering: .releasing)
    roster.remove(self)
  }

  /// No more values can come.
  @usableFromInline
  func end() {
    preconditionFailure("a subscriber without a value")
  }
}
