public import HearingDSP
public import HearingProcessing

/// Calls listeners with what render objects publish, off the render thread.
///
///     let monitor = RenderEventMonitor()
///     let token = monitor.listen(to: sliceGuard) { event in … }
///
/// While anybody listens it looks every ``interval`` on its scheduler. Offline, where nothing waits
/// for time to pass, call ``drain()`` after each block instead; the two may be mixed.
///
/// All events of one source arrive in order, each at every listener before the next one; calls never
/// overlap, and no lock is held: listening, cancelling and draining from inside a listener are
/// legal. Between sources there is no order.
///
/// It keeps neither sources nor their rings alive, and it ends when it is released. What a source
/// published without a listener, up to the moment the first one came, that listener gets. A source
/// is for one monitor only: two would take events from each other. Not for the render side.
public final class RenderEventMonitor: Sendable {
  /// How often it looks, 20 ms by default.
  public let interval: Duration

  private let scheduler: any DeadlineScheduler
  private let roster = Lock(RenderEventRoster())

  /// A monitor without listeners.
  ///
  /// - Parameters:
  ///   - scheduler: Where it waits; listeners are called on its thread.
  ///   - interval: How often it looks; more than zero.
  public init(
    scheduler: any DeadlineScheduler = DispatchScheduler(), interval: Duration = .milliseconds(20)
  ) {
    precondition(interval > .zero, "an interval of \(interval)")
    self.scheduler = scheduler
    self.interval = interval
  }

  /// Calls `receiveEvent` with each event of a source from now on.
  ///
  /// - Parameters:
  ///   - source: What is listened to; it is not kept.
  ///   - receiveEvent: Called on the scheduler's thread, or on the one that calls ``drain()``.
  /// - Returns: The token that keeps the listener; it keeps neither source nor monitor alive.
  public func listen(
    to source: some RenderEventSource, receiveEvent: @escaping @Sendable (RenderEvent) -> Void
  ) -> ObservationToken {
    let listener = RenderEventListener(ring: source.events, receiveEvent)
    let isFirst = roster.withLock { $0.add(listener) }
    if isFirst { wait(until: scheduler.now + interval) }
    return ObservationToken { [weak self] in
      listener.leave()
      self?.remove(listener)
    }
  }

  /// Delivers what has been published until now.
  ///
  /// It has arrived when this returns, unless a delivery is under way, on another thread or further
  /// up on this one: that delivery sees to it then.
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
      // The first listener of a ring stands for all of them.
      guard !listeners[..<index].contains(where: { $0.ring === ring }) else { continue }
      let audience = listeners[index...].filter { $0.ring === ring }
      for event in ring.drain() {
        for listener in audience { listener.receive(event) }
      }
    }
  }

  private func remove(_ listener: RenderEventListener) {
    // The wait is released outside the lock.
    let idle = roster.withLock { $0.remove(listener) }
    idle?.cancel()
  }

  private func wait(until deadline: Duration) {
    let token = scheduler.schedule(at: deadline) { [weak self] in self?.look(deadline) }
    let displaced = roster.withLock { $0.keep(token) }
    displaced?.cancel()
  }

  private func look(_ deadline: Duration) {
    drain()
    guard roster.withLock({ $0.sweep() }) else { return }
    // A slow listener makes looks rarer, never more frequent.
    wait(until: max(deadline + interval, scheduler.now))
  }
}
