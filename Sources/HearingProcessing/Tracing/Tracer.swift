internal import Synchronization

/// Hands trace events to the closure that an app has set; without one it costs an atomic load.
final class Tracer: Sendable {
  private let receiver = Lock(Receiver())
  private let isSet = Atomic(false)

  private struct Receiver: Sendable {
    var receive: (@Sendable (TraceEvent) -> Void)?
  }

  /// Whether anybody receives events.
  var isOn: Bool { isSet.load(ordering: .acquiring) }

  var receive: (@Sendable (TraceEvent) -> Void)? {
    get { receiver.withLock { $0 }.receive }
    set {
      _ = receiver.withLock { receiver in
        let replaced = receiver
        receiver = Receiver(receive: newValue)
        isSet.store(newValue != nil, ordering: .releasing)
        return replaced
      }
    }
  }

  /// Outside all locks: hands the event over if anybody receives it.
  func note(_ event: @autoclosure () -> TraceEvent) {
    guard isOn, let receive else { return }
    receive(event())
  }
}

/// Traces one parameter.
final class ParameterTrace: Sendable {
  private let tracer: Tracer
  private let name: String

  init(_ tracer: Tracer, _ name: String) {
    self.tracer = tracer
    self.name = name
  }

  var isOn: Bool { tracer.isOn }

  func note(
    _ kind: TraceEvent.Kind, _ value: (any Sendable)? = nil, applicator: String? = nil,
    duration: Duration? = nil, failure: (any Error)? = nil
  ) {
    tracer.note(
      TraceEvent(
        kind, name, value: value.map { "\($0)" }, applicator: applicator, duration: duration,
        failure: failure))
  }
}
