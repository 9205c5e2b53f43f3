import Foundation

/// Wakes all threads that wait in `poll`, so that the program can end.
///
/// The threads also wait for a pipe. To stop the threads, one byte is written to this pipe. The
/// byte is never read, so it wakes all threads.
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
    // One byte in the pipe is sufficient. If the pipe is full, further bytes are dropped.
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
