import Dispatch
import Foundation
import Synchronization

/// Stops a command on SIGINT, SIGTERM or SIGHUP, so that it can remove its unfinished files.
///
/// After the first signal, ``haveArrived`` is true. A command reads ``haveArrived`` before each
/// block of samples, and stops if it is true.
///
/// A command that waits for another program, for example at a pipe, cannot read ``haveArrived``.
/// Therefore the process is ended if nobody reads ``haveArrived`` within ``patience`` after the
/// first signal. If the command has set a handler, this happens only after a SIGHUP: the terminal
/// is closed, so the user cannot send a second signal.
///
/// A second signal ends the process immediately. Only a SIGHUP after a SIGHUP is ignored, because a
/// terminal may send several SIGHUP when it is closed.
///
/// A process that is ended in one of these two ways may leave the temporary file of an output in
/// the folder of the output. The name of the temporary file is `.staged-….part`.
///
/// If SIGHUP was ignored when the command started, for example by `nohup`, SIGHUP stays ignored.
public enum StopSignals {
  /// The maximum time in seconds from the first signal until the command reads ``haveArrived``.
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
  /// arrives before this function returns ends the process immediately.
  ///
  /// - Parameter handler: Called on a background thread after ``haveArrived`` has become true. If
  ///   nil, the command must read ``haveArrived`` regularly.
  public static func watch(_ handler: (@Sendable () -> Void)? = nil) {
    // Dispatch registers signal sources asynchronously. Before the registration, a signal ends the
    // process immediately. On Apple's platforms, a signal also ends the process after the
    // registration. Therefore the signals are set to SIG_IGN there. The sources still receive them.
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
