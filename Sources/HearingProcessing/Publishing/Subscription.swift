public import Synchronization

// Sendable because `slot`, `joinedAt` and `backlog` are only reached under the source's lock
// (`joinedAt` is constant once the subscription is in the list), `source` is written in `init` only,
// and `phase` is atomic.
/// One subscriber of a `CurrentValueSource`.
@usableFromInline
final class Subscription<Value: Sendable>: Slotted, Cancellable, @unchecked Sendable {
  @usableFromInline let receive: @Sendable (Value) -> Void
  @usableFromInline let finish: (@Sendable () -> Void)?
  @usableFromInline let phase = Atomic(Phase.joining)
  @usableFromInline weak var source: CurrentValueSource<Value>?

  @usableFromInline var slot = -1
  /// The publication that the subscriber saw when it joined; it gets only later ones.
  @usableFromInline var joinedAt: UInt64 = 0
  /// What was published while the subscriber still received its first value.
  @usableFromInline var backlog = FIFO<Value>()

  @usableFromInline
  enum Phase: UInt8, AtomicRepresentable, Sendable {
    /// The first value is being delivered, on the thread that subscribed.
    case joining
    case live
    case cancelled
  }

  @inlinable
  init(
    source: CurrentValueSource<Value>,
    receive: @escaping @Sendable (Value) -> Void,
    finish: (@Sendable () -> Void)?
  ) {
    self.source = source
    self.receive = receive
    self.finish = finish
  }

  @inlinable
  var isCancelled: Bool { phase.load(ordering: .acquiring) == .cancelled }

  @inlinable
  func cancel() {
    phase.store(.cancelled, ordering: .releasing)
    source?.remove(self)
  }
}
