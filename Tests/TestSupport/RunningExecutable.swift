public import Foundation

/// An executable of this package while it runs, talked to through pipes.
///
/// Every wait fails after a minute: a program that says nothing must not stop the tests.
public final class RunningExecutable {
  /// What did not come.
  struct Silence: Error {
    let what: String
  }

  private static let patience: Int32 = 60_000

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private var errorRest = Data()

  /// Starts it in a folder.
  public init(_ name: String, _ arguments: [String], in folder: URL) throws {
    // A program that has ended must not end its tests.
    signal(SIGPIPE, SIG_IGN)
    process.executableURL = try BuiltExecutable(name).url
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  deinit {
    if process.isRunning { process.terminate() }
  }

  /// Writes to its standard input.
  public func write(_ data: Data) throws {
    try input.fileHandleForWriting.write(contentsOf: data)
  }

  /// Ends its standard input.
  public func closeInput() throws { try input.fileHandleForWriting.close() }

  /// Reads no more of its standard output.
  public func closeOutput() throws { try output.fileHandleForReading.close() }

  /// Sends it a signal.
  public func send(signal number: Int32) { kill(process.processIdentifier, number) }

  /// Waits for this many bytes of its standard output.
  public func read(_ count: Int) throws -> Data {
    var data = Data()
    while data.count < count {
      let more = try piece(of: output, upTo: count - data.count)
      guard !more.isEmpty else { throw Silence(what: "output ended after \(data.count) bytes") }
      data += more
    }
    return data
  }

  /// Waits for the end of its standard output, and returns what came until then.
  public func readToEnd() throws -> Data {
    var data = Data()
    while true {
      let more = try piece(of: output, upTo: 65_536)
      if more.isEmpty { return data }
      data += more
    }
  }

  /// Waits for a line of its standard error; nil: there is none left.
  public func errorLine() throws -> String? {
    while true {
      if let end = errorRest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = errorRest[..<end]
        errorRest = Data(errorRest[errorRest.index(after: end)...])
        return String(decoding: line, as: UTF8.self)
      }
      let more = try piece(of: errors, upTo: 65_536)
      if more.isEmpty { return nil }
      errorRest += more
    }
  }

  /// Waits until it has ended, and returns what the shell is told; negative if a signal ended it.
  public func exitCode() throws -> Int32 {
    _ = try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    let isExit = process.terminationReason == .exit
    return isExit ? process.terminationStatus : -process.terminationStatus
  }

  /// How many bytes it has not yet read of its standard input.
  public var unreadByteCount: Int { Self.waiting(input.fileHandleForWriting.fileDescriptor) }

  /// How many bytes of its standard output wait to be read.
  public var waitingByteCount: Int { Self.waiting(output.fileHandleForReading.fileDescriptor) }

  private static func waiting(_ descriptor: Int32) -> Int {
    var count: Int32 = 0
    let failure = ioctl(descriptor, UInt(FIONREAD), &count)
    precondition(failure == 0, "the pipe does not tell: \(errno)")
    return Int(count)
  }

  private func piece(of pipe: Pipe, upTo count: Int) throws -> Data {
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&poller, 1, Self.patience) > 0 else { throw Silence(what: "nothing came") }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = Foundation.read(descriptor, &bytes, count)
    guard read >= 0 else { throw Silence(what: "reading failed: \(errno)") }
    return Data(bytes[..<read])
  }
}
