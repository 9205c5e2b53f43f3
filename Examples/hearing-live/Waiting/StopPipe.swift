import Foundation

/// Wakes all threads that wait in `poll` when the program ends. It is a pipe. A byte in the pipe,
/// which is never read, requests the stop.
final class StopPipe: Sendable {
  /// The descriptor to poll. It is readable after a stop request.
  let descriptor: Int32
  private let writing: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    let failure = unsafe pipe(&ends)
    precondition(failure == 0, "pipe() failed with errno \(errno)")
    descriptor = ends[0]
    writing = ends[1]
    // The pipe needs only one byte, so further bytes may be dropped.
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
  }

  /// Requests the stop of all waiting threads.
  func trigger() {
    var byte: UInt8 = 1
    _ = unsafe write(writing, &byte, 1)
  }

  /// Waits until the file descriptor `other` has data to read. If `other` is a listening socket,
  /// waits for a connection. Returns false after a stop request.
  func allowsReading(_ other: Int32) -> Bool {
    while true {
      var descriptors = [
        pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard unsafe poll(&descriptors, 2, -1) > 0 else { continue }
      if descriptors[1].revents != 0 { return false }
      if descriptors[0].revents != 0 { return true }
    }
  }

  deinit {
    close(descriptor)
    close(writing)
  }
}
