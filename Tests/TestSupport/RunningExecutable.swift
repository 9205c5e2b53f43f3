public import Foundation

/// A running executable of this package. Pipes connect its input and output with the test.
///
/// Every wait fails after one minute. Therefore a program that hangs does not block the tests.
public final class RunningExecutable {
  /// The time limit of every wait in seconds.
  private static let timeLimit = 60

  private let child: ChildProcess
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private var errorRest = Data()

  /// Starts the executable in a folder.
  public init(_ name: String, _ arguments: [String], in folder: URL) throws {
    // Ignores SIGPIPE. Otherwise, a write to a program that has ended would end the test process.
    signal(SIGPIPE, SIG_IGN)
    child = ChildProcess(try BuiltExecutable(name).url, arguments, in: folder)
    child.process.standardInput = input
    child.process.standardOutput = output
    child.process.standardError = errors
    try child.run()
    // The pipe is non-blocking. Therefore `write(_:)` can wait with a time limit while the pipe is
    // full.
    _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFL, O_NONBLOCK)
  }

  deinit {
    if !hasEnded { child.destroy() }
  }

  /// Writes to the standard input of the program.
  public func write(_ data: Data) throws {
    let descriptor = input.fileHandleForWriting.fileDescriptor
    var rest = data
    while !rest.isEmpty {
      try Self.wait(for: descriptor, POLLOUT, "reading of the standard input")
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EAGAIN else {
        throw TimeLimitExceeded(event: "writing failed: \(errno)")
      }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// Closes the standard input of the program.
  public func closeInput() throws { try input.fileHandleForWriting.close() }

  /// Closes the reading end of the pipe for the program's standard output.
  public func closeOutput() throws { try output.fileHandleForReading.close() }

  /// Sends a signal to the program.
  public func send(signal number: Int32) { child.send(signal: number) }

  #if os(Linux)
    /// Whether the program has a handler for a signal.
    public func handles(signal number: Int32) -> Bool {
      let path = "/proc/\(child.process.processIdentifier)/status"
      let lines = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n") ?? []
      let masks = lines.filter { $0.hasPrefix("SigCgt:") }
        .compactMap { $0.split(separator: "\t").last }.compactMap { UInt64($0, radix: 16) }
      return masks.contains { $0 & 1 << UInt64(number - 1) != 0 }
    }
  #endif

  /// Sends a signal to the program again and again until the program ends.
  public func sendUntilItEnds(signal number: Int32) throws {
    try wait(until: "a signal ends it") {
      send(signal: number)
      return child.hasEnded(within: 0.01)
    }
  }

  /// Waits for `count` bytes of the program's standard output and returns them.
  public func read(_ count: Int) throws -> Data {
    var data = Data()
    while data.count < count {
      let more = try Self.piece(of: output, upTo: count - data.count)
      guard !more.isEmpty else {
        throw TimeLimitExceeded(event: "output ended after \(data.count) bytes")
      }
      data += more
    }
    return data
  }

  /// Reads the program's standard output until it ends.
  public func readToEnd() throws -> Data {
    var data = Data()
    while true {
      let more = try Self.piece(of: output, upTo: 65_536)
      if more.isEmpty { return data }
      data += more
    }
  }

  /// Waits for a line of the program's standard error and returns it. The result is nil at the end
  /// of the standard error.
  public func errorLine() throws -> String? {
    while true {
      if let end = errorRest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = errorRest[..<end]
        errorRest = Data(errorRest[errorRest.index(after: end)...])
        return String(decoding: line, as: UTF8.self)
      }
      let more = try Self.piece(of: errors, upTo: 65_536)
      if more.isEmpty { return nil }
      errorRest += more
    }
  }

  /// Waits until the program has ended. Returns the exit code, or the negative signal number.
  public func exitCode() throws -> Int32 {
    _ = try? input.fileHandleForWriting.close()
    return try child.exitCode(within: Double(Self.timeLimit))
  }

  /// Whether the program has ended.
  public var hasEnded: Bool { child.hasEnded(within: 0) }

  /// Waits until the program has read everything that the test wrote to the standard input.
  public func readsEverything() throws {
    try wait(until: "everything is read") { unreadByteCount == 0 }
  }

  /// Waits until a condition is true. If the time limit is exceeded, throws an error that contains
  /// `event`.
  public func wait(until event: String, _ condition: () throws -> Bool) throws {
    let limit = ContinuousClock.now + .seconds(Self.timeLimit)
    while try !condition() {
      guard ContinuousClock.now < limit else { throw TimeLimitExceeded(event: event) }
      sched_yield()
    }
  }

  /// The number of bytes of the standard input that the program has not read yet.
  public var unreadByteCount: Int { Self.waiting(input.fileHandleForWriting.fileDescriptor) }

  /// The number of bytes of the standard output that the test has not read yet.
  public var waitingByteCount: Int { Self.waiting(output.fileHandleForReading.fileDescriptor) }

  private static func waiting(_ descriptor: Int32) -> Int {
    #if canImport(Darwin)
      // Swift's Darwin module does not contain `FIONREAD`, because its definition uses a macro with
      // parameters.
      let request: UInt = 0x4004_667F
    #else
      let request = UInt(FIONREAD)
    #endif
    var count: Int32 = 0
    let failure = ioctl(descriptor, request, &count)
    precondition(failure == 0, "FIONREAD failed with errno \(errno)")
    return Int(count)
  }

  private static func piece(of pipe: Pipe, upTo count: Int) throws -> Data {
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    try wait(for: descriptor, POLLIN, "output")
    var bytes = [UInt8](repeating: 0, count: count)
    let read = Foundation.read(descriptor, &bytes, count)
    guard read >= 0 else { throw TimeLimitExceeded(event: "reading failed: \(errno)") }
    return Data(bytes[..<read])
  }

  private static func wait(
    for descriptor: Int32, _ events: some BinaryInteger, _ name: String
  ) throws {
    var poller = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    guard poll(&poller, 1, Int32(timeLimit) * 1_000) > 0 else {
      throw TimeLimitExceeded(event: name)
    }
  }
}
