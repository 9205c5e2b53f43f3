/// Work that waits for its deadline. The work runs at most once.
final class ScheduledWork: Sendable {
  let deadline: Duration
  private let work: Lock<(@Sendable () -> Void)?>

  init(deadline: Duration, work: @escaping @Sendable () -> Void) {
    self.deadline = deadline
    self.work = Lock(work)
  }

  func run() {
    let work = work.withLock { $0.take() }
    work?()
  }

  /// Cancels the work and releases its closure. Returns false if the work has already begun or has
  /// already been cancelled.
  @discardableResult
  func cancel() -> Bool {
    let cancelled = work.withLock { $0.take() }
    return cancelled != nil
  }
}
