import Synchronization

/// A counter that threads share without putting anything else in order.
final class Tally: Sendable {
  private let value = Atomic(0)

  var count: Int { value.load(ordering: .relaxed) }

  func add(_ more: Int) {
    value.add(more, ordering: .relaxed)
  }
}
