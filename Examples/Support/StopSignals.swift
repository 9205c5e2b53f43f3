import Dispatch
import Foundation
import Synchronization

/// Handles SIGINT, SIGTERM and SIGHUP so that a command stops between two blocks and removes its
/// unfinished files, if it can.
///
/// The first signal asks the command to stop, and the command stops before the next block. A
/// command that waits for a pipe without a partner does not notice the signal. Therefore a command
/// without a handler ends if it has not read ``haveArrived`` within ``patience``. The second signal
/// always ends the process immediately. The exception is a second SIGHUP, because a terminal that
/// closes may send several. After a SIGHUP, a command with a handler also ends after ``patience``,
/// because nobody can send another signal. A process that ends in this way may leave the temporary
/// file of an output, `.staged-….part`, in the folder of the output.
///
/// SIGHUP stays ignored if it was ignored when the command started, as with `nohup`.
public enum StopSignals {
  /// The time in seconds after the first signal in which a command must read ``haveArrived``.
  public static let patience = 3.0

  private static let arrived = Atomic(false)
  private static let isNoticed = Atomic(false)
  private static let numbers = [SIGINT, SIGTERM] + (isHangUpIgnored ? [] : [SIGHUP])
  private nonisolated(unsafe) static var sources: [any DispatchSourceSignal] = []

  /// Whether a signal has asked the program to stop.
  public static var haveArrived: Bool {
    guard arrived.load(ordering: .relaxed) else { return false }
    isNoticed.store(true, ordering: .relaxed)
    return true
  }

  private static var isHangUpIgnored: Bool {
    var action = sigaction()
    unsafe sigaction(SIGHUP, nil, &action)
    #if canImport(Darwin)
      let handler = unsafe action.__sigaction_u.__sa_handler
    #else
      let handler = unsafe action.__sigaction_handler.sa_handler
    #endif
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Starts to handle the signals. Call it once, before the command starts its work. A signal that
  /// arrives after the return is handled. An earlier signal ends the process immediately.
  ///
  /// - Parameter handler: Called on a background thread after ``haveArrived`` has become true. If
  ///   nil, the command must read ``haveArrived`` regularly.
  public static func watch(_ handler: (@Sendable () -> Void)? = nil) {
    // Sources are registered asynchronously. Until then, a signal ends the process immediately. On
    // Apple's platforms, a source does not replace this action of the signal. Therefore the signal
    // is also set to be ignored.
    let registration = DispatchGroup()
    unsafe sources = numbers.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        arrived.store(true, ordering: .relaxed)
        let isHangUp = number == SIGHUP
        for other in numbers { signal(other, isHangUp && other == SIGHUP ? SIG_IGN : SIG_DFL) }
        handler?()
        guard handler == nil || isHangUp else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
          guard !isNoticed.load(ordering: .relaxed) else { return }
          signal(number, SIG_DFL)
          kill(getpid(), number)
        }
      }
      registration.enter()
      source.setRegistrationHandler { registration.leave() }
      source.activate()
      return source
    }
    registration.wait()
    #if canImport(Darwin)
      for number in numbers { signal(number, SIG_IGN) }
    #endif
  }
}
