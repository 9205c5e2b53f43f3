public import Synchronization

/// Where a subscriber is between joining and leaving.
@usableFromInline
enum SubscriptionPhase: UInt8, AtomicRepresentable, Sendable {
  /// Not called yet: it receives its first value on the thread that subscribes, or a result is
  /// still to come.
  case waiting
  case live
  case cancelled
}
