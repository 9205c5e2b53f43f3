import ExampleSupport
import HearingFitting

/// Executes and answers the commands that arrive through a socket or pipe, one per line.
struct ControlLines: Sendable {
  private let live: LiveSession
  private let expect: @Sendable () -> Void
  private let answer: @Sendable (String) -> Void
  private var splitter = LineSplitter()

  /// - Parameters:
  ///   - expect: Called for each line before its command is executed.
  ///   - answer: Called once for each line, on any thread, when the result is known.
  init(
    _ live: LiveSession, expect: @escaping @Sendable () -> Void = {},
    answer: @escaping @Sendable (String) -> Void
  ) {
    self.live = live
    self.expect = expect
    self.answer = answer
  }

  /// Adds bytes, and executes each line that is now complete.
  mutating func add(_ piece: some Sequence<UInt8>) {
    perform(splitter.add(piece))
  }

  /// Executes the last line if it does not end with a newline.
  mutating func finish() {
    perform(splitter.finish())
  }

  private func perform(_ lines: [LineSplitter.Line]) {
    for line in lines {
      expect()
      switch line {
      case .tooLong:
        answer("error: a line of more than \(LineSplitter.commandLimit) bytes")
      case .text(let text):
        let shown = text.singleLine(limit: 200)
        live.perform(text) { [answer] result in
          switch result {
          case .success(let words): answer("ok \(shown): \(words)")
          case .failure(let refusal):
            answer("error \(shown): \(refusal.reason.singleLine(limit: 400))")
          }
        }
      }
    }
  }
}

/// Splits a stream of bytes into lines.
struct LineSplitter: Sendable {
  /// The maximum length of a command in bytes.
  static let commandLimit = 8_192

  /// The maximum length of a line in bytes.
  private let limit: Int
  private var rest: [UInt8] = []
  private var isTooLong = false

  /// A complete line.
  enum Line {
    case text(String)
    /// The line was longer than the limit, and its bytes were dropped.
    case tooLong
  }

  init(limit: Int = commandLimit) {
    self.limit = limit
  }

  /// Adds bytes and returns the lines that are now complete. Blank lines are omitted.
  mutating func add(_ piece: some Sequence<UInt8>) -> [Line] {
    var lines: [Line] = []
    for byte in piece {
      if byte == UInt8(ascii: "\n") {
        lines += finish()
      } else if rest.count == limit {
        isTooLong = true
      } else {
        rest.append(byte)
      }
    }
    return lines
  }

  /// Returns the last line if it does not end with a newline.
  mutating func finish() -> [Line] {
    defer {
      rest = []
      isTooLong = false
    }
    if isTooLong { return [.tooLong] }
    let text = String(decoding: rest, as: UTF8.self)
    return text.allSatisfy(\.isWhitespace) ? [] : [.text(text)]
  }
}
