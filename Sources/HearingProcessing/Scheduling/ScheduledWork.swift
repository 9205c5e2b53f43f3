// Sendable because `slot` is only reached under the lock of the queue that holds it, `queue` is
// written in `init` only, and the work itself is behind a lock.
/// A piece of work that waits for its deadline; it runs once or is cancelled.
final class ScheduledWork: Slotted, Cancellable, @unchecked Sendable {
  let deadline: Duration
  /// Equal deadlines run in order of their numbers.
  let number: UInt64
  var slot = -1
  private weak var queue: DeadlineQueue?
  private let work: Lock<(@Sendable () -> Void)?>

  init(
    deadline: Duration, number: UInt64 = 0, queue: DeadlineQueue? = nil,
    work: @escaping @Sendable () -> Void
  ) {
    self.deadline = deadline
    self.number = number
    self.queue = queue
    self.work = Lock(work)
  }

  func run() {
    takeWork()?()
  }

  func cancel() {
    if withdraw() { queue?.remove(self) }
  }

  /// Sees to it that the work does not run; false if it has begun or was withdrawn before.
  func withdraw() -> Bool {
    takeWork() != nil
  }

  func precedes(_ other: ScheduledWork) -> Bool {
    deadline == other.deadline ? number < other.number : deadline < other.deadline
  }

  private func takeWork() -> (@Sendable () -> Void)? {
    work.withLock { $0.take() }
  }
}
