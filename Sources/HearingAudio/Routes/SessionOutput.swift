internal import Foundation
internal import HearingProcessing

/// The latest audio route of a session. All objects that render the session's audio use the
/// calibration or the echo path of the latest route.
///
/// Each session has at most one `SessionOutput`. Processor bindings, call bindings and route
/// followers retain the `SessionOutput`.
final class SessionOutput: Sendable {
  private static let all = Lock([UUID: WeakOutput]())

  private struct WeakOutput: Sendable {
    weak let output: SessionOutput?
  }

  private let latest = CurrentValueSource<AudioRoute?>(nil)
  /// The queue of route changes. All route followers of the session use this queue.
  let changes = SerialQueue()

  /// Returns the `SessionOutput` of a session. Creates the `SessionOutput` if necessary.
  static func of(_ session: ProcessingSession) -> SessionOutput {
    all.withLock { all in
      if let output = all[session.id]?.output { return output }
      all = all.filter { $0.value.output != nil }
      let output = SessionOutput()
      all[session.id] = WeakOutput(output: output)
      return output
    }
  }

  /// The latest route that was passed to `enter`. Nil before the first call of `enter`.
  var route: AudioRoute? { latest.value }

  /// Passes a new route to all closures that were registered with `follow`.
  func enter(_ route: AudioRoute) { latest.send(route) }

  /// Calls `receive` with the current route and with each later route, in order. If there is no
  /// current route yet, `receive` is first called with the first route.
  func follow(_ receive: @escaping @Sendable (AudioRoute) -> Void) -> ObservationToken {
    CurrentValuePublisher(latest).sink { if let route = $0 { receive(route) } }
  }
}
