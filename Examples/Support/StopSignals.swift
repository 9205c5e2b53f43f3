import Dispatch
import Foundation
import Synchronization

/// Handles SIGINT and SIGTERM so that a command ends without leaving unfinished files behind.
///
/// The first signal asks the command to stop; the command stops before the next block. The second
/// signal ends the process immediately, which helps if the command waits for a pipe that has no
/// writer.
public enum StopSignals {
  private static let arrived = Atomic(false)
  private static let numbers = [SIGINT, SIGTERM]
  private nonisolated(unsafe) static var sources: [any DispatchSourceSignal] = []

  /// Whether a signal has asked the program to stop.
  public static var haveArrived: Bool { arrived.load(ordering: .relaxed) }

  /// Starts to handle the signals. Call it once, before the command starts its work. A signal that
  /// arrives after the return is handled.
  ///
  /// - Parameter handler: Called on a background thread after ``haveArrived`` has become true.
  public static func watch(_ handler: @escaping @Sendable () -> Void = {}) {
    // Sources are registered asynchronously. A signal would be lost before its registration.
    let registration = DispatchGroup()
    unsafe sources = numbers.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        arrived.store(true, ordering: .relaxed)
        for number in numbers { signal(number, SIG_DFL) }
        handler()
      }
      registration.enter()
      source.setRegistrationHandler { registration.leave() }
      source.activate()
      return source
    }
    registration.wait()
  }
}
