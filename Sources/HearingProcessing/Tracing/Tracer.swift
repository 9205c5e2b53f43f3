internal import Synchronization

/// Passes trace events to the closure that an app has set. If no closure is set, each event costs
/// only one atomic load.
final class Tracer: Sendable {
  private let receiver = Lock<(@Sendable (TraceEvent) -> Void)?>(nil)
  private let isSet = Atomic(false)

  /// Whether a closure is set.
  var isOn: Bool { isSet.load(ordering: .acquiring) }

  var receive: (@Sendable (TraceEvent) -> Void)? {
    get { receiver.withLock { $0 } }
    set {
      var receive = newValue
      receiver.withLock { current in
        swap(&current, &receive)
        isSet.store(newValue != nil, ordering: .releasing)
      }
    }
  }

  /// Passes the event to the app's closure, if a closure is set. The caller must not hold a lock.
  func note(_ event: @autoclosure () -> TraceEvent) {
    guard isOn, let receive else { return }
    receive(event())
  }
}
