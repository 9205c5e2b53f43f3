import Synchronization

/// Flags that threads of a test may set and read.
final class Flag: Sendable {
  private let running = Atomic(false)
  private let set = Atomic(false)
  private let done = Atomic(false)

  var isRunning: Bool {
    get { running.load(ordering: .acquiring) }
    set { running.store(newValue, ordering: .releasing) }
  }

  var isSet: Bool {
    get { set.load(ordering: .acquiring) }
    set { set.store(newValue, ordering: .releasing) }
  }

  var isDone: Bool {
    get { done.load(ordering: .acquiring) }
    set { done.store(newValue, ordering: .releasing) }
  }
}
