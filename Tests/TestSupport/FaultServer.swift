public import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// An HTTP server on the loopback interface. A test chooses its answers, which may be invalid. Each
/// connection has a separate thread and contains one request.
public final class FaultServer: Sendable {
  /// How the server reacts to a request.
  public enum Answer: Sendable {
    /// The server sends a complete answer with this status code, these headers and this body.
    case answer(status: Int, headers: [String: String], body: Data)
    /// The server sends a complete answer without the header `Content-Length`. The end of the
    /// connection marks the end of the body.
    case unsized(headers: [String: String], body: Data)
    /// The header announces a body of `length` bytes. The server sends `body`, which has a
    /// different length, and closes the connection.
    case wrongLength(Int, body: Data)
    /// The server sends the answer byte by byte, with a pause after each byte.
    case dripping(body: Data, pause: Double)
    /// The server sends bytes with a pause after each 64 KiB. It stops after `seconds`, or when the
    /// client disconnects.
    case endless(seconds: Double, pause: Double)
    /// The server sends nothing for this many seconds.
    case silent(Double)
    /// The server closes the connection without an answer.
    case closed
    /// The server sends bytes that are not an HTTP message.
    case garbage(Data)
  }

  /// A request that the server has received.
  public struct Request: Sendable {
    /// The path of the URL.
    public let path: String
    /// The headers of the request. The names of the headers are in lower case.
    public let headers: [String: String]
  }

  /// The port of the server on the loopback interface.
  public let port: UInt16
  private let descriptor: Int32
  private let requested = Recorder<Request>()
  private let answer: @Sendable (Request) -> Answer

  /// The requests that the server has received so far.
  public var requests: [Request] { requested.events }

  /// Starts a server. The server calls `answer` for each request, on the thread of the connection.
  public init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
    self.answer = answer
    signal(SIGPIPE, SIG_IGN)
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, type, 0)
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, length) == 0 && listen(descriptor, 128) == 0
          && getsockname(descriptor, pointer, &length) == 0
      }
    }
    guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in accept() }
  }

  /// The URL of a path on the server.
  public func url(_ path: String = "/preset") throws -> URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
      throw URLError(.badURL)
    }
    return url
  }

  /// Stops the server. It no longer accepts connections.
  ///
  /// On Linux, this ends the call of `accept` on the server's thread, and that thread then closes
  /// the descriptor. This function must not close the descriptor. Otherwise, a new server could get
  /// the same descriptor number, and the old thread could accept a connection of the new server.
  public func stop() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    #if canImport(Darwin)
      close(descriptor)
    #endif
  }

  private func accept() {
    while true {
      #if canImport(Darwin)
        let client = Darwin.accept(descriptor, nil, nil)
      #elseif canImport(Glibc)
        let client = Glibc.accept(descriptor, nil, nil)
      #else
        let client = Musl.accept(descriptor, nil, nil)
      #endif
      if client < 0 && errno == EINTR { continue }
      guard client >= 0 else {
        #if !canImport(Darwin)
          close(descriptor)
        #endif
        return
      }
      Thread.detachNewThread { [self] in
        serve(client)
        shutdown(client, Int32(SHUT_RDWR))
        close(client)
      }
    }
  }

  private func serve(_ client: Int32) {
    guard let request = read(client) else { return }
    requested.record(request)
    switch answer(request) {
    case .answer(let status, let headers, let body):
      var headers = headers
      if status != 304 { headers["Content-Length"] = "\(body.count)" }
      send(Self.head(status, headers) + body, to: client)
    case .unsized(let headers, let body):
      send(Self.head(200, headers) + body, to: client)
    case .wrongLength(let length, let body):
      send(
        Self.head(200, ["Content-Type": "application/json", "Content-Length": "\(length)"]) + body,
        to: client)
    case .dripping(let body, let pause):
      let head = Self.head(
        200, ["Content-Type": "application/json", "Content-Length": "\(body.count)"])
      for byte in head + body {
        guard send(Data([byte]), to: client) else { return }
        if pause > 0 { Thread.sleep(forTimeInterval: pause) }
      }
    case .endless(let seconds, let pause):
      guard send(Self.head(200, ["Content-Type": "application/json"]), to: client) else { return }
      let block = Data(repeating: 0x20, count: 65_536)
      let end = ContinuousClock.now + .seconds(seconds)
      while ContinuousClock.now < end, send(block, to: client) {
        if pause > 0 { Thread.sleep(forTimeInterval: pause) }
      }
    case .silent(let seconds):
      Thread.sleep(forTimeInterval: seconds)
    case .closed:
      break
    case .garbage(let bytes):
      send(bytes, to: client)
    }
  }

  private static func head(_ status: Int, _ headers: [String: String]) -> Data {
    var text = "HTTP/1.1 \(status) Status\r\nConnection: close\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    return Data((text + "\r\n").utf8)
  }

  private func read(_ client: Int32) -> Request? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
      let count = recv(client, &buffer, buffer.count, 0)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
    let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count > 1 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] =
        line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    return Request(path: String(words[1]), headers: headers)
  }

  /// - Returns: False if the client has disconnected.
  @discardableResult
  private func send(_ data: Data, to client: Int32) -> Bool {
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        #if canImport(Darwin)
          Darwin.send(client, bytes.baseAddress, bytes.count, 0)
        #elseif canImport(Glibc)
          Glibc.send(client, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #else
          Musl.send(client, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #endif
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
