import Dispatch
import Foundation
import Synchronization

/// Lets SIGINT and SIGTERM end a command without leaving unfinished files behind.
///
/// The first signal asks the command to stop; it does so between two blocks of work. The second one
/// ends the process at once, which helps when a command waits for a pipe that nobody writes to.
public enum StopSignals {
  private static let arrived = Atomic(false)
  private static let numbers = [SIGINT, SIGTERM]
  private nonisolated(unsafe) static var sources: [any DispatchSourceSignal] = []

  /// Whether the program has been asked to stop.
  public static var haveArrived: Bool { arrived.load(ordering: .relaxed) }

  /// Starts to watch the signals. Call it once, before any work begins.
  ///
  /// - Parameter handler: Called on a background thread after ``haveArrived`` became true.
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
