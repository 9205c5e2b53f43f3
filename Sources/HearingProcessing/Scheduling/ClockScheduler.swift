/// A scheduler on any clock of the standard library or of your own.
///
///     let controller = ProcessingController(scheduler: ClockScheduler(ContinuousClock()))
///
/// A piece of work costs a sleeping task; `DispatchScheduler` is lighter.
public struct ClockScheduler<C: Clock>: DeadlineScheduler where C.Duration == Duration {
  private let clock: C
  private let origin: C.Instant

  /// A scheduler whose time begins now.
  public init(_ clock: C) {
    self.clock = clock
    origin = clock.now
  }

  /// The time that has passed on the clock since this scheduler was made.
  public var now: Duration { origin.duration(to: clock.now) }

  /// Runs `work` in a task of its own when the clock has reached `deadline`.
  public func schedule(
    at deadline: Duration, _ work: @escaping @Sendable () -> Void
  ) -> ObservationToken {
    let instant = origin.advanced(by: deadline)
    let scheduled = ScheduledWork(deadline: deadline, work: work)
    let task = Task { [clock] in
      try await clock.sleep(until: instant, tolerance: nil)
      scheduled.run()
    }
    return ObservationToken {
      if scheduled.withdraw() { task.cancel() }
    }
  }
}
