import ExampleSupport
import Foundation

/// Functions for Unix sockets. Such a socket has a path in the file system.
enum UnixSocket {
  #if canImport(Darwin)
    private static let stream = SOCK_STREAM
  #else
    private static let stream = Int32(SOCK_STREAM.rawValue)
  #endif

  /// Creates a socket to which only this user can connect. An existing socket at the path is
  /// replaced if no program listens on it. Any other existing file is an error and stays unchanged.
  static func listen(at path: String) throws(CommandFailure) -> Int32 {
    guard let address = sockaddr_un(path: path) else {
      throw .cannotCreate(path: path, reason: "the path of a socket has at most 100 bytes")
    }
    try removeDeadSocket(at: path, address)
    let descriptor = socket(AF_UNIX, stream, 0)
    let mask = umask(0o177)
    defer { umask(mask) }
    guard
      descriptor >= 0, unsafe address.withPointer({ unsafe bind(descriptor, $0, $1) }) == 0,
      Foundation.listen(descriptor, 8) == 0
    else {
      let code = errno
      if descriptor >= 0 { close(descriptor) }
      throw .cannotCreate(path: path, reason: SystemReason.text(ofNumber: code))
    }
    return descriptor
  }

  /// Connects to a socket on which another program listens.
  static func connect(to path: String) throws(CommandFailure) -> Int32 {
    guard let address = sockaddr_un(path: path) else {
      throw .noInput(path: path, reason: "the path of a socket has at most 100 bytes")
    }
    let descriptor = socket(AF_UNIX, stream, 0)
    guard descriptor >= 0,
      unsafe address.withPointer({ unsafe Foundation.connect(descriptor, $0, $1) }) == 0
    else {
      let code = errno
      if descriptor >= 0 { close(descriptor) }
      throw .noInput(
        path: path,
        reason: Control.isNamedPipe(path)
          ? "is a named pipe; write commands to it, such as echo help > \(path)"
          : SystemReason.text(ofNumber: code)
            + "; does a hearing-live run with --control \(path)?")
    }
    return descriptor
  }

  /// Writes all of `text`. Returns false if the peer does not accept the bytes within one second.
  static func send(_ text: String, to descriptor: Int32) -> Bool {
    var timeout = timeval(tv_sec: 1, tv_usec: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func removeDeadSocket(
    at path: String, _ address: sockaddr_un
  ) throws(CommandFailure) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw .cannotCreate(path: path, reason: "a file of this name exists and is not a socket")
    }
    let descriptor = socket(AF_UNIX, stream, 0)
    defer { close(descriptor) }
    guard unsafe address.withPointer({ unsafe Foundation.connect(descriptor, $0, $1) }) != 0 else {
      throw .cannotCreate(path: path, reason: "another program listens there")
    }
    unsafe unlink(path)
  }
}

extension sockaddr_un {
  /// The socket address for a path; nil if the path is too long.
  fileprivate init?(path: String) {
    self.init()
    sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count <= 100 else { return nil }
    unsafe withUnsafeMutableBytes(of: &sun_path) { unsafe $0.copyBytes(from: bytes) }
  }

  fileprivate func withPointer(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    unsafe withUnsafePointer(to: self) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
