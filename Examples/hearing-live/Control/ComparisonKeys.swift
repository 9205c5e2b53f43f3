import ExampleSupport
import Foundation
import HearingFitting

/// Reads keys from the program's terminal. With these keys, the listener compares two settings.
final class ComparisonKeys: Sendable {
  static let help = """
    press 1 or 2 to hear a setting, Return if the one that you hear is better, = if none is
    """

  private let thread = DispatchGroup()

  /// - Returns: Nil if the program has no terminal.
  init?(_ comparison: LiveComparison, _ stop: StopPipe, _ log: EventLog) {
    let terminal = unsafe open("/dev/tty", O_RDONLY | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    thread.enter()
    Thread.detachNewThread { [thread] in
      Self.read(terminal, comparison, stop, log)
      close(terminal)
      thread.leave()
    }
  }

  /// Waits until reading has ended and the terminal has its previous settings again.
  func end() {
    thread.wait()
  }

  private static func read(
    _ terminal: Int32, _ comparison: LiveComparison, _ stop: StopPipe, _ log: EventLog
  ) {
    let keyboard = Keyboard(terminal)
    let answer: LiveComparison.Answer = { result in
      switch result {
      case .success(let text): log.answer(text)
      case .failure(let refusal): log.answer(refusal.reason)
      }
    }
    log.answer("compare two settings: \(help)")
    comparison.hear(.first, answer)
    while !keyboard.hasEnded, stop.allowsReading(terminal) {
      for key in keyboard.keys(waiting: 0) {
        switch key {
        case "1": comparison.hear(.first, answer)
        case "2": comparison.hear(.second, answer)
        case "\n", "\r": comparison.prefer(nil, answer)
        case "=": comparison.prefer(.same, answer)
        default: log.answer(help)
        }
      }
    }
  }
}
