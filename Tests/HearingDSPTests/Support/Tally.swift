import Synchronization

/// A counter that threads share. Its relaxed ordering does not synchronise other memory.
final class Tally: Sendable {
  private let value = Atomic(0)

  var count: Int { value.load(ordering: .relaxed) }

  func add(_ more: Int) {
    value.add(more, ordering: .relaxed)
  }
}
