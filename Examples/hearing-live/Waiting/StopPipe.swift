import Foundation

/// Wakes whoever waits in `poll`, for good: a pipe with a byte that nobody reads.
final class StopPipe: Sendable {
  /// To be polled: readable once the program is to end.
  let descriptor: Int32
  private let writing: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    let failure = pipe(&ends)
    precondition(failure == 0, "no pipe: \(errno)")
    descriptor = ends[0]
    writing = ends[1]
    // A full pipe is as readable as one with a single byte.
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
  }

  func trigger() {
    var byte: UInt8 = 1
    _ = write(writing, &byte, 1)
  }

  deinit {
    close(descriptor)
    close(writing)
  }
}
