internal import Synchronization

/// Hands trace events to the closure that an app has set; without one it costs an atomic load.
final class Tracer: Sendable {
  private let receiver = Lock<(@Sendable (TraceEvent) -> Void)?>(nil)
  private let isSet = Atomic(false)

  /// Whether anybody receives events.
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

  /// Outside all locks: hands the event over if anybody receives it.
  func note(_ event: @autoclosure () -> TraceEvent) {
    guard isOn, let receive else { return }
    receive(event())
  }
}
