internal import Dispatch

/// A scheduler that uses real time.
///
/// All instances share one timer of the process. Each work item runs on its own queue, so that a
/// slow handler does not delay other time-outs. Time does not advance while the machine sleeps, as
/// for other Dispatch timers.
public final class DispatchScheduler: DeadlineScheduler {
  /// Creates a handle on the shared timer.
  public init() {}

  /// The time that the machine has been awake.
  public var now: Duration { SharedTimer.shared.now }

  /// Runs `work` on a queue of the library when `deadline` is reached.
  public func schedule(
    at deadline: Duration, _ work: @escaping @Sendable () -> Void
  ) -> ObservationToken {
    SharedTimer.shared.schedule(at: deadline, work)
  }
}

// Sendable because Dispatch sources are safe to use from any thread, and all other state is
// protected by locks.
/// One Dispatch timer for all deadlines of the process.
final class SharedTimer: @unchecked Sendable {
  static let shared = SharedTimer()

  private let queue = DeadlineQueue()
  private let timer: any DispatchSourceTimer
  /// Calls `runDueWork`, on any thread. All work shares this one item, so that dispatching it
  /// allocates nothing.
  private let worker = DispatchWorkItem { SharedTimer.shared.runDueWork() }
  /// The deadline that the timer is set to; the timer is only accessed under this lock.
  private let armed = Lock<Duration?>(nil)

  private init() {
    timer = DispatchSource.makeTimerSource(queue: LibraryThread.queue())
    timer.setEventHandler { [unowned self] in
      armed.withLock { $0 = nil }
      startWorker()
    }
    timer.activate()
  }

  var now: Duration {
    .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds))
  }

  func schedule(at deadline: Duration, _ work: @escaping @Sendable () -> Void) -> ObservationToken {
    let scheduled = queue.add(at: deadline, work)
    arm(for: deadline)
    return ObservationToken { scheduled.cancel() }
  }

  /// Makes the timer fire by `deadline`; it may fire earlier and find nothing due.
  private func arm(for deadline: Duration) {
    armed.withLock { armed in
      if let armed, armed <= deadline { return }
      armed = deadline
      timer.schedule(deadline: Self.dispatchTime(deadline), leeway: .milliseconds(1))
    }
  }

  private func startWorker() {
    LibraryThread.queue().async(execute: worker)
  }

  /// If work is due, starts another thread for the next work, then runs the earliest one.
  private func runDueWork() {
    guard let work = queue.popFirst(dueAt: now) else {
      if let next = queue.firstDeadline { arm(for: next) }
      return
    }
    startWorker()
    work.run()
  }

  private static func dispatchTime(_ instant: Duration) -> DispatchTime {
    let (seconds, attoseconds) = instant.components
    let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    guard nanoseconds > 0 else { return .now() }
    guard nanoseconds < 9e18 else { return .distantFuture }
    return DispatchTime(
      uptimeNanoseconds: UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000 + 1)
  }
}
