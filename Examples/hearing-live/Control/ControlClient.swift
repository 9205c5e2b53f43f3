import Foundation
import Synchronization

/// One connection to the control socket: it stays until its last line has been answered.
final class ControlClient: Sendable {
  private let descriptor: Int32
  private let writing = DispatchQueue(label: "hearing-live.control")
  private let state = Mutex(State())
  private let reading = Mutex<ControlReading?>(nil)

  private struct State {
    var unanswered = 0
    var isAtEnd = false
    var isOver = false

    /// Whether nothing more can come or go; said once.
    mutating func ends() -> Bool {
      guard isAtEnd, unanswered == 0, !isOver else { return false }
      isOver = true
      return true
    }
  }

  init(_ descriptor: Int32, _ live: LiveSession, _ stop: StopPipe) {
    self.descriptor = descriptor
    let lines = ControlLines(live) { [self] in
      state.withLock { $0.unanswered += 1 }
    } answer: { [self] text in
      answer(text)
    }
    let reading = ControlReading(descriptor, stop, lines) { [self] in
      finish { $0.isAtEnd = true }
    }
    self.reading.withLock { $0 = reading }
  }

  /// Whether the connection is closed.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Waits until everything has been written.
  func end() {
    reading.withLock { $0 }?.join()
    writing.sync {}
  }

  private func answer(_ text: String) {
    writing.async { [descriptor] in
      // Who does not read answers is not waited for, and gets no more of them.
      if !UnixSocket.send(text + "\n", to: descriptor) { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
    finish { $0.unanswered -= 1 }
  }

  private func finish(_ change: (inout State) -> Void) {
    let isLast = state.withLock { state in
      change(&state)
      return state.ends()
    }
    if isLast { writing.async { [descriptor] in close(descriptor) } }
  }
}
