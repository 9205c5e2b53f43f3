import ExampleSupport
import Foundation

/// A named pipe that takes commands; the answers go to standard error.
final class ControlPipe {
  let path: String
  private let isOwn: Bool
  private let descriptor: Int32
  private let reading: ControlReading

  /// - Parameter path: A pipe that is there; nil: one is made.
  init(
    path: String?, _ live: LiveSession, _ log: EventLog, _ stop: StopPipe
  ) throws(CommandFailure) {
    isOwn = path == nil
    self.path = path ?? Self.ownPath
    if isOwn, mkfifo(self.path, 0o600) != 0 {
      throw .cannotCreate(path: self.path, reason: SystemReason.text(ofNumber: errno))
    }
    // For writing as well, so that it does not end when a writer goes.
    descriptor = open(self.path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .noInput(path: self.path, reason: SystemReason.text(ofNumber: errno))
    }
    reading = ControlReading(descriptor, stop, ControlLines(live) { log.answer($0) })
  }

  func end() {
    reading.join()
    close(descriptor)
    if isOwn { unlink(path) }
  }

  private static var ownPath: String {
    FileManager.default.temporaryDirectory
      .appendingPathComponent("hearing-live-\(ProcessInfo.processInfo.processIdentifier).control")
      .path
  }
}
