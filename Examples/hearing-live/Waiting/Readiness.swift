import Foundation

/// Waiting for a descriptor.
enum Readiness {
  /// Waits until there is something to read or to accept; false: the program is to end.
  static func wait(for descriptor: Int32, _ stop: StopPipe) -> Bool {
    while true {
      var descriptors = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&descriptors, 2, -1) > 0 else { continue }
      if descriptors[1].revents != 0 { return false }
      if descriptors[0].revents != 0 { return true }
    }
  }
}
