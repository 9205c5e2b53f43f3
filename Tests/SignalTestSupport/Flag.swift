import Synchronization

/// Flags that several threads of a test may set and read.
package final class Flag: Sendable {
  package init() {}

  private let running = Atomic(false)
  private let set = Atomic(false)
  private let done = Atomic(false)

  package var isRunning: Bool {
    get { running.load(ordering: .acquiring) }
    set { running.store(newValue, ordering: .releasing) }
  }

  package var isSet: Bool {
    get { set.load(ordering: .acquiring) }
    set { set.store(newValue, ordering: .releasing) }
  }

  package var isDone: Bool {
    get { done.load(ordering: .acquiring) }
    set { done.store(newValue, ordering: .releasing) }
  }
}
