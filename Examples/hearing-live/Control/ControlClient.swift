import ExampleSupport
import Foundation

/// Sends commands to the control socket of another `hearing-live` and prints the answers.
///
/// Any client of Unix sockets can send commands in the same way, for example `nc -U PATH`.
struct ControlClient {
  let path: String
  /// The commands, one per line.
  let lines: [String]

  /// Sends all commands and prints each answer as it arrives: errors on standard error, other
  /// answers on standard output.
  ///
  /// - Throws: ``CommandFailure/noInput(path:reason:)`` if no program listens on the socket. Throws
  ///   ``CommandFailure/badData(input:reason:)`` if commands failed or got no answer. This error
  ///   contains the number of these commands.
  func run() throws(CommandFailure) {
    let descriptor = try UnixSocket.connect(to: path)
    defer { close(descriptor) }
    let commands = lines.map { $0 + "\n" }.joined()
    // The result is ignored. If the other program closes the connection, sending fails. The answer
    // with the reason was sent before, and is read below.
    _ = UnixSocket.send(commands, to: descriptor)
    shutdown(descriptor, Int32(SHUT_WR))
    var sent = LineSplitter()
    let expectedCount = sent.add(commands.utf8).count
    var answerCount = 0
    var splitter = LineSplitter(limit: 1 << 20)
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var refusalCount = 0
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      let answers = count > 0 ? splitter.add(buffer[..<count]) : splitter.finish()
      for case .text(let answer) in answers {
        answerCount += 1
        if answer.hasPrefix("ok") {
          try Command.print(answer + "\n")
        } else {
          Command.warn(answer)
          refusalCount += 1
        }
      }
      if count <= 0 { break }
    }
    let missingCount = max(0, expectedCount - answerCount)
    guard refusalCount + missingCount == 0 else {
      let count = "\(refusalCount + missingCount) of \(expectedCount) commands failed"
      throw .badData(
        input: path,
        reason: missingCount == 0 ? count : "\(count), \(missingCount) without an answer")
    }
  }
}
