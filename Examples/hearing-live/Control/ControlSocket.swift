import ExampleSupport
import Foundation
import Synchronization

/// A Unix socket that reads commands from several clients and answers each client.
final class ControlSocket: Sendable {
  /// The maximum number of clients; further clients are refused.
  private static let clientLimit = 32

  private let path: String
  private let descriptor: Int32
  private let live: LiveSession
  private let stop: StopPipe
  private let clients = Mutex<[ControlPeer]>([])
  private let accepting = DispatchGroup()

  init(path: String, _ live: LiveSession, _ stop: StopPipe) throws(CommandFailure) {
    self.path = path
    self.live = live
    self.stop = stop
    descriptor = try UnixSocket.listen(at: path)
    accepting.enter()
    Thread.detachNewThread { [self] in
      accept()
      accepting.leave()
    }
  }

  /// Waits until the commands of all clients have been answered, then removes the socket.
  func end() {
    accepting.wait()
    for client in clients.withLock({ $0 }) { client.end() }
    close(descriptor)
    unsafe unlink(path)
  }

  private func accept() {
    while stop.allowsReading(descriptor) {
      let connection = Foundation.accept(descriptor, nil, nil)
      guard connection >= 0 else { continue }
      let isAccepted = clients.withLock { clients in
        clients.removeAll { $0.isOver }
        return clients.count < Self.clientLimit
      }
      guard isAccepted else {
        _ = UnixSocket.send("error: too many clients\n", to: connection)
        close(connection)
        continue
      }
      let client = ControlPeer(connection, live, stop)
      clients.withLock { $0.append(client) }
    }
  }
}

/// One connection to the control socket. It is closed after its last line has been answered.
final class ControlPeer: Sendable {
  private let descriptor: Int32
  private let writing = DispatchQueue(label: "hearing-live.control")
  private let state = Mutex(State())
  private let reading = Mutex<ControlReading?>(nil)

  private struct State {
    var unanswered = 0
    var isAtEnd = false
    var isOver = false

    /// Returns true exactly once: when the input has ended and every line has been answered.
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

  /// Waits until all answers have been written.
  func end() {
    reading.withLock { $0 }?.join()
    writing.sync {}
  }

  private func answer(_ text: String) {
    writing.async { [descriptor] in
      // A client that does not read its answers is disconnected.
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
