internal import Dispatch
internal import Foundation

/// A process that is waited for, but not for ever.
final class ChildProcess {
  /// What the tests set before it runs: its streams.
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

  /// Waits until it has ended; false: it has not within so many seconds.
  func hasEnded(within seconds: Double) -> Bool {
    guard end.wait(timeout: .now() + seconds) == .success else { return false }
    // For whoever asks again.
    end.signal()
    return true
  }

  /// Ends it at once, and waits for that.
  func destroy() {
    send(signal: SIGKILL)
    end.wait()
    end.signal()
  }

  /// Waits until it has ended; what the shell is told, negative if a signal ended it.
  ///
  /// - Throws: ``Silence``, after it was killed, if it has not ended within so many seconds.
  func exitCode(within seconds: Double) throws -> Int32 {
    guard hasEnded(within: seconds) else {
      destroy()
      throw Silence(what: "it did not end within \(seconds) s")
    }
    let isExit = process.terminationReason == .exit
    return isExit ? process.terminationStatus : -process.terminationStatus
  }
}
