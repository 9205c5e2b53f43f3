/// A scheduler that measures time with a standard or custom `Clock`.
///
///     let controller = ProcessingController(scheduler: ClockScheduler(ContinuousClock()))
///
/// This scheduler creates one task for each scheduled closure. The task sleeps until the deadline
/// of the closure. A `DispatchScheduler` needs fewer resources than a `ClockScheduler`.
public struct ClockScheduler<C: Clock>: DeadlineScheduler where C.Duration == Duration {
  private let clock: C
  private let origin: C.Instant

  /// Creates a scheduler. `now` starts at zero.
  public init(_ clock: C) {
    self.clock = clock
    origin = clock.now
  }

  /// The time that has passed on the clock since this scheduler was created.
  public var now: Duration { origin.duration(to: clock.now) }

  /// Runs `work` in a separate task when the clock has reached `deadline`.
  public func schedule(
    at deadline: Duration, _ work: @escaping @Sendable () -> Void
  ) -> ObservationToken {
    let instant = origin.advanced(by: deadline)
    let scheduled = CancellableWork { _ in work() }
    let task = Task { [clock] in
      try await clock.sleep(until: instant, tolerance: nil)
      scheduled.run()
    }
    return ObservationToken {
      if scheduled.cancel() { task.cancel() }
    }
  }
}
