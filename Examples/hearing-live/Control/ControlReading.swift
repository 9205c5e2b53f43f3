import Foundation

/// Reads commands from a descriptor, on a thread of its own, until it ends or the program is to end.
final class ControlReading: Sendable {
  private let thread = DispatchGroup()

  /// - Parameters:
  ///   - lines: Has the commands carried out.
  ///   - onEnd: Called on the thread when nothing more will come.
  init(
    _ descriptor: Int32, _ stop: StopPipe, _ lines: ControlLines,
    onEnd: @escaping @Sendable () -> Void = {}
  ) {
    thread.enter()
    Thread.detachNewThread { [thread] in
      Self.read(descriptor, stop, lines)
      onEnd()
      thread.leave()
    }
  }

  /// Waits until the thread has ended.
  func join() {
    thread.wait()
  }

  private static func read(_ descriptor: Int32, _ stop: StopPipe, _ lines: ControlLines) {
    var lines = lines
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while Readiness.wait(for: descriptor, stop) {
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      if count > 0 {
        lines.add(buffer[..<count])
      } else if count == 0 || errno != EINTR {
        break
      }
    }
    lines.finish()
  }
}
