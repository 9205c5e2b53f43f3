import Synchronization

/// A counter shared by threads, with relaxed ordering: it synchronises nothing else.
final class Tally: Sendable {
  private let value = Atomic(0)

  var count: Int { value.load(ordering: .relaxed) }

  func add(_ more: Int) {
    value.add(more, ordering: .relaxed)
  }
}
