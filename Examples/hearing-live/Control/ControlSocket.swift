import ExampleSupport
import Foundation
import Synchronization

/// A Unix socket that takes commands from several clients and answers each.
final class ControlSocket: Sendable {
  /// More clients at a time are turned away.
  private static let clientLimit = 32

  private let path: String
  private let descriptor: Int32
  private let live: LiveSession
  private let stop: StopPipe
  private let clients = Mutex<[ControlClient]>([])
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

  /// Waits until every client has been answered, and removes the socket.
  func end() {
    accepting.wait()
    for client in clients.withLock({ $0 }) { client.end() }
    close(descriptor)
    unlink(path)
  }

  private func accept() {
    while Readiness.wait(for: descriptor, stop) {
      let connection = Foundation.accept(descriptor, nil, nil)
      guard connection >= 0 else { continue }
      let isWelcome = clients.withLock { clients in
        clients.removeAll { $0.isOver }
        return clients.count < Self.clientLimit
      }
      guard isWelcome else {
        _ = UnixSocket.send("error: too many clients\n", to: connection)
        close(connection)
        continue
      }
      let client = ControlClient(connection, live, stop)
      clients.withLock { $0.append(client) }
    }
  }
}
