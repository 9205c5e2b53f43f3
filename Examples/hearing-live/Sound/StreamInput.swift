import ExampleSupport
import Foundation

/// Reads standard input in complete slices.
struct StreamInput {
  private let stop: StopPipe

  init(stop: StopPipe) {
    self.stop = stop
  }

  /// Fills `bytes`, with several reads if necessary.
  ///
  /// - Returns: The number of bytes read. If reading ended before `bytes` was full, also the reason
  ///   why reading ended.
  func fill(
    _ bytes: UnsafeMutableRawBufferPointer
  ) throws(CommandFailure) -> (count: Int, ending: LiveEnding?) {
    var count = 0
    while count < bytes.count {
      if let ending = wait() { return (count, ending) }
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
      let more = unsafe read(STDIN_FILENO, rest.baseAddress, rest.count)
      let code = errno
      if more == 0 { return (count, .inputEnded) }
      if more > 0 {
        count += more
      } else if code != EINTR && code != EAGAIN {
        throw .noInput(path: "standard input", reason: SystemReason.text(ofNumber: code))
      }
    }
    return (count, nil)
  }

  /// Waits until input is available, then returns nil. If processing must end, returns the reason.
  private func wait() -> LiveEnding? {
    let closed = Int16(POLLERR | POLLHUP | POLLNVAL)
    while true {
      var descriptors = [
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
        // This entry has no events; it only detects that the reader has closed the output.
        pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
      ]
      guard unsafe poll(&descriptors, 3, -1) > 0 else { continue }
      if descriptors[1].revents != 0 { return .stopped }
      if descriptors[2].revents & closed != 0 { return .outputClosed }
      if descriptors[0].revents != 0 { return nil }
    }
  }
}

/// The reason why processing ended.
enum LiveEnding: String {
  case inputEnded = "the input ended"
  case outputClosed = "the output was closed"
  case stopped = "stopped by a signal"
}
