import Dispatch
import Foundation
import Synchronization

/// SIGINT and SIGTERM end the rendering in good order: nothing half-written stays behind.
enum StopSignals {
  private static let arrived = Atomic(false)
  private nonisolated(unsafe) static var sources: [any DispatchSourceSignal] = []

  /// Whether the program has been asked to stop.
  static var haveArrived: Bool { arrived.load(ordering: .relaxed) }

  /// Begins to watch; called once, before anything else runs.
  static func watch() {
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { arrived.store(true, ordering: .relaxed) }
      source.activate()
      return source
    }
  }
}
