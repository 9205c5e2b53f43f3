import ExampleSupport
import Foundation

/// Reads and answers the commands from the socket or named pipe that `--control` names.
final class Control {
  /// The path of the socket or named pipe.
  let path: String
  private let source: Source

  private enum Source {
    case socket(ControlSocket)
    case pipe(ControlPipe)
  }

  init(
    path: String, _ live: LiveSession, _ log: EventLog, _ stop: StopPipe
  ) throws(CommandFailure) {
    if path == "-" || Self.isNamedPipe(path) {
      let pipe = try ControlPipe(path: path == "-" ? nil : path, live, log, stop)
      source = .pipe(pipe)
      self.path = pipe.path
    } else {
      source = .socket(try ControlSocket(path: path, live, stop))
      self.path = path
    }
  }

  /// Waits until every command has been answered, then removes the socket or pipe if this object
  /// created it. Call it after ``StopPipe/trigger()``.
  func end() {
    switch source {
    case .socket(let socket): socket.end()
    case .pipe(let pipe): pipe.end()
    }
  }

  /// Whether the file at `path` is a named pipe.
  static func isNamedPipe(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }
}
