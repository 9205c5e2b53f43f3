import Foundation

/// A connection to a control socket.
final class ControlConnection {
  /// The reason why no answer arrived.
  enum Failure: Error {
    case notConnected(Int32)
    case noAnswer(String)
  }

  private let descriptor: Int32
  private var rest: [UInt8] = []

  init(_ path: String) throws {
    #if canImport(Darwin)
      descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
    #else
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let failure = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard failure == 0 else {
      close(descriptor)
      throw Failure.notConnected(errno)
    }
  }

  deinit {
    close(descriptor)
  }

  /// Sends bytes.
  func send(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    _ = write(descriptor, bytes, bytes.count)
  }

  /// Closes the sending side of the connection. The other side stays open, so answers still arrive.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Sends a line of text and returns the next answer.
  func ask(_ line: String) throws -> String {
    send("\(line)\n".utf8)
    guard let answer = try answer() else { throw Failure.noAnswer(line) }
    return answer
  }

  /// Waits for the next answer and returns it. The result is nil if the connection is closed.
  func answer() throws -> String? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest.removeSubrange(...end) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&poller, 1, 60_000) > 0 else {
        throw Failure.noAnswer("no answer within a minute")
      }
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = read(descriptor, &bytes, bytes.count)
      if count <= 0 { return nil }
      rest += bytes[..<count]
    }
  }
}
