import ExampleSupport
import Foundation

/// Writes to standard output. All bytes are written, even if the reader is slow.
struct StreamOutput {
  /// The maximum time in milliseconds to wait until the reader accepts bytes, after the stop of the
  /// program was requested.
  private static let timeout: Int32 = 1_000
  /// The number of bytes that are written at a time. Writing them does not block if `poll` reports
  /// that the pipe is ready.
  private static let pieceSize = 4_096

  private let stop: StopPipe

  init(stop: StopPipe) {
    self.stop = stop
  }

  /// Writes all of `bytes`. Returns false if the reader has closed the output.
  func write(_ bytes: UnsafeRawBufferPointer) throws(CommandFailure) -> Bool {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      try wait()
      let count = unsafe Foundation.write(
        STDOUT_FILENO, rest.baseAddress, min(rest.count, Self.pieceSize))
      let code = errno
      if count >= 0 {
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if code == EPIPE {
        return false
      } else if code != EINTR && code != EAGAIN {
        throw failure(SystemReason.text(ofNumber: code))
      }
    }
    return true
  }

  /// Waits until the output accepts bytes. After a stop request, waits at most ``timeout``
  /// milliseconds.
  private func wait() throws(CommandFailure) {
    var isStopping = false
    while true {
      var descriptors = [
        pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let count = unsafe poll(&descriptors, isStopping ? 1 : 2, isStopping ? Self.timeout : -1)
      if descriptors[0].revents != 0 { return }
      if count > 0 { isStopping = true }
      if count == 0 { throw failure("the reader does not accept data") }
    }
  }

  private func failure(_ reason: String) -> CommandFailure {
    .cannotWrite(path: "standard output", reason: reason)
  }
}
