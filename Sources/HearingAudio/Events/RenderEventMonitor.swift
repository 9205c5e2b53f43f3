public import HearingDSP
public import HearingProcessing

/// Delivers the events of render objects to listeners, outside the render thread.
///
///     let monitor = RenderEventMonitor()
///     let token = monitor.listen(to: sliceGuard.events) { event in … }
///
/// While the monitor has listeners, its scheduler polls their event sources at every ``interval``.
/// When rendering offline, call ``drain()`` after each block. Polling and ``drain()`` can be used
/// together.
///
/// The events of one source are delivered in order. Every listener of the source gets an event
/// before the next event is delivered. The order of events from different sources is undefined.
/// Calls of listeners never overlap. The monitor holds no lock during these calls. Therefore a
/// listener may call ``listen(to:receiveEvent:)`` and ``drain()`` and may cancel tokens.
///
/// The monitor does not retain its sources. The monitor works while the app retains the monitor or
/// the token of a listener. The first listener of a source also gets the events that were published
/// before the listener was added. Use only one monitor per source. Two monitors would each get only
/// some of the events. Do not call the methods of a monitor on the render thread.
public final class RenderEventMonitor: Sendable {
  /// The time between polls, 20 ms by default.
  public let interval: Duration

  private let scheduler: any DeadlineScheduler
  private let roster = Lock(RenderEventRoster())

  /// Creates a monitor without listeners.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler whose thread calls the listeners.
  ///   - interval: The time between polls. It must be more than zero.
  public init(
    scheduler: any DeadlineScheduler = DispatchScheduler(), interval: Duration = .milliseconds(20)
  ) {
    precondition(interval > .zero, "an interval of \(interval)")
    self.scheduler = scheduler
    self.interval = interval
  }

  /// Calls a closure with each event of a ring.
  ///
  /// - Parameters:
  ///   - events: The ring of a render object, such as `VoiceProcessor.events`. The monitor does not
  ///     retain the ring.
  ///   - receiveEvent: Called on the scheduler's thread, or on the thread that calls ``drain()``.
  /// - Returns: A token that cancels the listener when the token is released. The token retains the
  ///   monitor but not the ring.
  public func listen(
    to events: RenderEventRing, receiveEvent: @escaping @Sendable (RenderEvent) -> Void
  ) -> ObservationToken {
    let listener = RenderEventListener(ring: events, receiveEvent)
    let isFirst = roster.withLock { $0.add(listener) }
    if isFirst { startTimer(until: scheduler.now + interval) }
    return ObservationToken { [self] in
      listener.cancel()
      remove(listener)
    }
  }

  /// Delivers all published events.
  ///
  /// Usually, all events have been delivered when this method returns. If another delivery is in
  /// progress, on another thread or in a caller of this method, that delivery includes the events.
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
      // Drains each ring only once and delivers its events to all its listeners.
      guard !listeners[..<index].contains(where: { $0.ring === ring }) else { continue }
      let receivers = listeners[index...].filter { $0.ring === ring }
      for event in ring.drain() {
        for listener in receivers { listener.receive(event) }
      }
    }
  }

  private func remove(_ listener: RenderEventListener) {
    // The token of the timer is cancelled and released outside the lock.
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
    // If listeners are slow, the next poll is late and missed polls are skipped.
    startTimer(until: max(deadline + interval, scheduler.now))
  }
}
