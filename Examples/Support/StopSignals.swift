import Dispatch
import Foundation
import Synchronization

/// SIGINT and SIGTERM end a command in good order: nothing half-written stays behind.
public enum StopSignals {
  private static let arrived = Atomic(false)
  private nonisolated(unsafe) static var sources: [any DispatchSourceSignal] = []

  /// Whether the program has been asked to stop.
  public static var haveArrived: Bool { arrived.load(ordering: .relaxed) }

  /// Begins to watch; called once, before anything else runs.
  ///
  /// - Parameter handler: Called on some thread with each signal, after ``haveArrived`` is true.
  public static func watch(_ handler: @escaping @Sendable () -> Void = {}) {
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        arrived.store(true, ordering: .relaxed)
        handler()
      }
      source.activate()
      return source
    }
  }
}
