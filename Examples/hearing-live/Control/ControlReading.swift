import Foundation

/// Reads commands from a descriptor on a separate thread, until the input or the program ends.
final class ControlReading: Sendable {
  private let thread = DispatchGroup()

  /// - Parameters:
  ///   - lines: Executes the commands.
  ///   - onEnd: Called on the reading thread after the last command.
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
    while stop.allowsReading(descriptor) {
      let count = unsafe Foundation.read(descriptor, &buffer, buffer.count)
      if count > 0 {
        lines.add(buffer[..<count])
      } else if count == 0 || errno != EINTR {
        break
      }
    }
    lines.finish()
  }
}
