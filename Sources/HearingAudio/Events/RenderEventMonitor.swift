public import HearingDSP
public import HearingProcessing

/// Calls listeners with the events of render objects, outside the render thread.
///
///     let monitor = RenderEventMonitor()
///     let token = monitor.listen(to: sliceGuard) { event in … }
///
/// While the monitor has listeners, it polls their sources every ``interval`` on its scheduler.
/// When rendering offline, call ``drain()`` after each block. Polling and calls of ``drain()`` can
/// be combined.
///
/// The events of one source arrive in order, and every listener gets an event before the next event
/// is delivered. The order of events from different sources is undefined. Calls of listeners never
/// overlap, and no lock is held during them, so a listener may call ``listen(to:receiveEvent:)``
/// and ``drain()`` and may cancel tokens.
///
/// The monitor does not retain its sources. It works while it or the token of a listener is
/// retained. The first listener of a source also gets the events published before it was added. Use
/// one monitor per source: with two, each would get only some of the events. Do not call its
/// methods on the render thread.
public final class RenderEventMonitor: Sendable {
  /// The time between polls, 20 ms by default.
  public let interval: Duration

  private let scheduler: any DeadlineScheduler
  private let roster = Lock(RenderEventRoster())

  /// Creates a monitor without listeners.
  ///
  /// - Parameters:
  ///   - scheduler: Calls the listeners on its thread.
  ///   - interval: The time between polls; more than zero.
  public init(
    scheduler: any DeadlineScheduler = DispatchScheduler(), interval: Duration = .milliseconds(20)
  ) {
    precondition(interval > .zero, "an interval of \(interval)")
    self.scheduler = scheduler
    self.interval = interval
  }

  /// Calls a closure with each event of a source.
  ///
  /// - Parameters:
  ///   - source: Not retained.
  ///   - receiveEvent: Called on the scheduler's thread, or on the thread that calls ``drain()``.
  /// - Returns: A token that cancels the listener when released. It retains the monitor but not the
  ///   source.
  public func listen(
    to source: some RenderEventSource, receiveEvent: @escaping @Sendable (RenderEvent) -> Void
  ) -> ObservationToken {
    let listener = RenderEventListener(ring: source.events, receiveEvent)
    let isFirst = roster.withLock { $0.add(listener) }
    if isFirst { startTimer(until: scheduler.now + interval) }
    return ObservationToken { [self] in
      listener.cancel()
      remove(listener)
    }
  }

  /// Delivers all published events.
  ///
  /// All are delivered when this method returns, unless a delivery is in progress on another thread
  /// or further up the stack. In that case, the delivery in progress includes them.
  public func drain() {
    var listeners = roster.withLock { $0.beginDelivery() }
    while let current = listeners {
      deliver(to: current)
      listeners = roster.withLock { $0.endDelivery() }
    }
  }

  private func deliver(to listeners: [RenderEventListener]) {
    for (index, listener) in listeners.enumerated() {
      guard let ring = listener.ring else { continue }
      // Each ring is drained once, for all its listeners.
      guard !listeners[..<index].contains(where: { $0.ring === ring }) else { continue }
      let receivers = listeners[index...].filter { $0.ring === ring }
      for event in ring.drain() {
        for listener in receivers { listener.receive(event) }
      }
    }
  }

  private func remove(_ listener: RenderEventListener) {
    // Released outside the lock.
    let timer = roster.withLock { $0.remove(listener) }
    timer?.cancel()
  }

  private func startTimer(until deadline: Duration) {
    let token = scheduler.schedule(at: deadline) { [weak self] in self?.poll(deadline) }
    let obsolete = roster.withLock { $0.store(token) }
    obsolete?.cancel()
  }

  private func poll(_ deadline: Duration) {
    drain()
    guard roster.withLock({ $0.removeOrphans() }) else { return }
    // Slow listeners delay the next poll; missed polls are skipped.
    startTimer(until: max(deadline + interval, scheduler.now))
  }
}
