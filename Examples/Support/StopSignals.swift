import Dispatch
import Foundation
import Synchronization

/// SIGINT and SIGTERM end a command in good order: nothing half-written stays behind.
///
/// The first one asks the command to stop, which it does between two pieces of work. The next one
/// ends it on the spot, as if nobody watched: that is for a command that waits for a pipe to which
/// nobody writes.
public enum StopSignals {
  private static let arrived = Atomic(false)
  private static let numbers = [SIGINT, SIGTERM]
  private nonisolated(unsafe) static var sources: [any DispatchSourceSignal] = []

  /// Whether the program has been asked to stop.
  public static var haveArrived: Bool { arrived.load(ordering: .relaxed) }

  /// Begins to watch; called once, before anything else runs.
  ///
  /// - Parameter handler: Called on some thread after ``haveArrived`` has become true.
  public static func watch(_ handler: @escaping @Sendable () -> Void = {}) {
    sources = numbers.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        arrived.store(true, ordering: .relaxed)
        for number in numbers { signal(number, SIG_DFL) }
        handler()
      }
      source.activate()
      return source
    }
  }
}
