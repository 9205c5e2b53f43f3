public import HearingDSP
public import HearingProcessing

/// Calls listeners outside the render thread with the events of objects that render audio.
///
///     let monitor = RenderEventMonitor()
///     let token = monitor.listen(to: sliceGuard.events) { event in … }
///
/// A listener is a closure of the app. An event ring is a buffer to which the render thread writes
/// events. A timer of the monitor reads the event rings of all listeners once per ``interval``.
/// During offline rendering, call ``drain()`` after each block to read the rings immediately.
///
/// The events of one ring are delivered in order. All listeners of a ring get an event before any
/// of these listeners gets the next event. The order of events from different rings is undefined.
/// Calls of listeners never overlap. The monitor holds no lock during the call of a listener.
/// Therefore a listener may call ``listen(to:receiveEvent:)`` and ``drain()`` and may cancel
/// tokens.
///
/// The monitor does not retain the rings. The monitor delivers events as long as the app retains
/// the monitor or the token of a listener. The first listener of a ring also gets the events that
/// were published before the listener was added. Use only one monitor per ring. With two monitors,
/// each monitor would get only some of the events. Do not call the methods of a monitor on the
/// render thread.
public final class RenderEventMonitor: Sendable {
  /// The time between two readings of the event rings. The default is 20 ms.
  public let interval: Duration

  private let scheduler: any DeadlineScheduler
  private let deliveries = SerialQueue()
  private let state = Lock(State())

  /// The subscription of one listener to an event ring.
  private struct Listener: Sendable {
    /// The event ring of the listener. Nil after the ring is released.
    weak let ring: RenderEventRing?
    let events = EventSource<RenderEvent>()
  }

  private struct State: Sendable {
    var listeners: [Listener] = []
    var timer: (deadline: Duration, token: ObservationToken)?
    var isPolling = false
    /// Whether a delivery of events has been requested but has not begun yet. A delivery reads all
    /// events that were published before the delivery began. Therefore a second request is not
    /// needed while `isDue` is true.
    var isDue = false
  }

  /// Creates a monitor without listeners.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler whose thread calls the listeners.
  ///   - interval: The time between two readings of the event rings, more than zero.
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
  ///   - events: The event ring of an object that renders audio, for example
  ///     `VoiceProcessor.events`. The monitor does not retain the ring.
  ///   - receiveEvent: A closure that is called with each event, on the scheduler's thread or on a
  ///     thread that calls ``drain()``.
  /// - Returns: A token. When the token is released, the closure is no longer called. The token
  ///   retains the monitor, and does not retain the ring.
  public func listen(
    to events: RenderEventRing, receiveEvent: @escaping @Sendable (RenderEvent) -> Void
  ) -> ObservationToken {
    let listener = Listener(ring: events)
    let subscription = EventPublisher(listener.events).sink(receiveEvent: receiveEvent)
    let isFirst = state.withLock { state in
      state.listeners.append(listener)
      defer { state.isPolling = true }
      return !state.isPolling
    }
    if isFirst { startTimer(until: scheduler.now + interval) }
    return ObservationToken { [self] in
      subscription.cancel()
      state.withLock { $0.listeners.removeAll { $0.events === listener.events } }
    }
  }

  /// Delivers all published events.
  ///
  /// Usually, all events have been delivered when this method returns. If another thread is already
  /// delivering events, this method returns immediately, and the other thread also delivers the new
  /// events. If a listener calls this method, the method returns immediately, and the events are
  /// delivered after the listener has returned.
  public func drain() {
    let isFirst = state.withLock { state in
      defer { state.isDue = true }
      return !state.isDue
    }
    guard isFirst else { return }
    deliveries.run { [self] in
      let listeners = state.withLock { state in
        state.isDue = false
        return state.listeners
      }
      for (index, listener) in listeners.enumerated() {
        guard let ring = listener.ring else { continue }
        // If a ring has several listeners, the ring is read only once, and each event is sent to
        // all listeners of the ring.
        guard !listeners[..<index].contains(where: { $0.ring === ring }) else { continue }
        let receivers = listeners[index...].filter { $0.ring === ring }
        for event in ring.drain() {
          for listener in receivers { listener.events.send(event) }
        }
      }
    }
  }

  private func startTimer(until deadline: Duration) {
    let token = scheduler.schedule(at: deadline) { [weak self] in self?.poll(deadline) }
    // The timer may fire before `schedule` returns the timer's token. In this case, `state` already
    // contains a later timer, and the new token is not needed. The closure returns the token that
    // is not needed, so that this token is released after the lock has been released.
    _ = state.withLock { state -> ObservationToken? in
      guard state.timer.map({ $0.deadline < deadline }) ?? true else { return token }
      defer { state.timer = (deadline, token) }
      return state.timer?.token
    }
  }

  private func poll(_ deadline: Duration) {
    drain()
    let isPolling = state.withLock { state in
      state.listeners.removeAll { $0.ring == nil }
      state.isPolling = !state.listeners.isEmpty
      return state.isPolling
    }
    // If slow listeners delay the timer, the monitor does not repeat the missed readings of the
    // rings.
    if isPolling { startTimer(until: max(deadline + interval, scheduler.now)) }
  }
}
