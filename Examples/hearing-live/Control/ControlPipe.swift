import ExampleSupport
import Foundation

/// Reads commands from a named pipe and writes the answers to standard error.
final class ControlPipe {
  let path: String
  private let isOwn: Bool
  private let descriptor: Int32
  private let reading: ControlReading

  /// - Parameter path: The path of an existing pipe. If nil, creates a pipe in the temporary
  ///   folder.
  init(
    path: String?, _ live: LiveSession, _ log: EventLog, _ stop: StopPipe
  ) throws(CommandFailure) {
    isOwn = path == nil
    self.path = path ?? Self.ownPath
    if isOwn, unsafe mkfifo(self.path, 0o600) != 0 {
      throw .cannotCreate(path: self.path, reason: SystemReason.text(ofNumber: errno))
    }
    // The pipe is opened for writing, too. Otherwise, reading would end when the first writer
    // closes the pipe.
    descriptor = unsafe open(self.path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .noInput(path: self.path, reason: SystemReason.text(ofNumber: errno))
    }
    reading = ControlReading(descriptor, stop, ControlLines(live) { log.answer($0) })
  }

  func end() {
    reading.join()
    close(descriptor)
    if isOwn { unsafe unlink(path) }
  }

  private static var ownPath: String {
    FileManager.default.temporaryDirectory
      .appendingPathComponent("hearing-live-\(ProcessInfo.processInfo.processIdentifier).control")
      .path
  }
}
