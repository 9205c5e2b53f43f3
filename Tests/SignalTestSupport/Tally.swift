import Synchronization

/// A counter for several threads. It uses relaxed ordering, so it does not synchronise other
/// memory.
package final class Tally: Sendable {
  private let value = Atomic(0)

  package init() {}

  package var count: Int { value.load(ordering: .relaxed) }

  package func add(_ more: Int) {
    value.add(more, ordering: .relaxed)
  }
}
