import ExampleSupport
import Foundation

/// A program that reads samples from standard input and plays them at its own speed.
final class Player {
  private let process = Process()
  private let pipe = Pipe()
  private let command: String

  /// Starts the program in a shell.
  init(command: String) throws(CommandFailure) {
    self.command = command
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardInput = pipe
    process.standardOutput = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw .cannotWrite(path: command, reason: SystemReason.text(of: error))
    }
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  /// Writes as many bytes as the player accepts, and returns the number of written bytes. Waits at
  /// most `milliseconds` ms until the player accepts bytes.
  func write(
    _ bytes: UnsafeRawBufferPointer, waiting milliseconds: Int32
  ) throws(CommandFailure) -> Int {
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&request, 1, milliseconds) > 0 else { return 0 }
    let count = unsafe Foundation.write(descriptor, bytes.baseAddress, bytes.count)
    if count >= 0 { return count }
    guard errno == EAGAIN || errno == EINTR else { throw ended }
    return 0
  }

  /// The failure to report if the player has ended too early.
  private var ended: CommandFailure {
    process.waitUntilExit()
    let how = process.terminationReason == .exit ? "with exit code" : "by signal"
    let status = process.terminationStatus
    // The shell ends with the exit code 127 if it does not find a command.
    let hint = process.terminationReason == .exit && status == 127 ? ": command not found" : ""
    return .cannotWrite(
      path: command, reason: "the player ended \(how) \(status)\(hint)")
  }

  /// Waits until the player has played all samples and has ended.
  func end() {
    try? pipe.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
