internal import Dispatch
internal import Foundation

/// A child process. Every wait for the end of the process has a time limit.
final class ChildProcess {
  /// The process. Its input and output must be set before it starts.
  let process = Process()
  private let end = DispatchSemaphore(value: 0)

  init(_ executable: URL, _ arguments: [String], in folder: URL) {
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.terminationHandler = { [end] _ in end.signal() }
  }

  func run() throws {
    try process.run()
  }

  func send(signal number: Int32) {
    kill(process.processIdentifier, number)
  }

  /// Waits until the process has ended. Returns false if the process still runs after `seconds`.
  func hasEnded(within seconds: Double) -> Bool {
    guard end.wait(timeout: .now() + seconds) == .success else { return false }
    // Signals the semaphore again, so that the next wait also succeeds.
    end.signal()
    return true
  }

  /// Kills the process and waits until it has ended.
  func destroy() {
    send(signal: SIGKILL)
    end.wait()
    end.signal()
  }

  /// Waits until the process has ended. Returns the exit code, or the negative signal number.
  ///
  /// - Throws: ``TimeLimitExceeded`` if the process has not ended within `seconds`. In this case,
  ///   the process is killed.
  func exitCode(within seconds: Double) throws -> Int32 {
    guard hasEnded(within: seconds) else {
      destroy()
      throw TimeLimitExceeded(event: "end of the process within \(seconds) s")
    }
    let isExit = process.terminationReason == .exit
    return isExit ? process.terminationStatus : -process.terminationStatus
  }
}

/// The error that an event did not occur within its time limit.
struct TimeLimitExceeded: Error {
  let event: String
}
