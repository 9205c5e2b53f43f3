import ExampleSupport

/// Has each line of a control channel carried out and answered.
struct ControlLines: Sendable {
  private let live: LiveSession
  private let expect: @Sendable () -> Void
  private let answer: @Sendable (String) -> Void
  private var splitter = LineSplitter()

  /// - Parameters:
  ///   - expect: Called for each line before it is carried out.
  ///   - answer: Called once for each line, on any thread, when it is known what came of it.
  init(
    _ live: LiveSession, expect: @escaping @Sendable () -> Void = {},
    answer: @escaping @Sendable (String) -> Void
  ) {
    self.live = live
    self.expect = expect
    self.answer = answer
  }

  /// Takes what has been read.
  mutating func add(_ piece: some Sequence<UInt8>) {
    perform(splitter.add(piece))
  }

  /// Takes note that nothing more will come.
  mutating func finish() {
    perform(splitter.finish())
  }

  private func perform(_ lines: [LineSplitter.Line]) {
    for line in lines {
      expect()
      switch line {
      case .tooLong:
        answer("error: a line of more than \(LineSplitter.limit) bytes")
      case .text(let text):
        let shown = text.oneLine(limit: 200)
        live.perform(text) { [answer] result in
          switch result {
          case .success(let words): answer("ok \(shown): \(words)")
          case .failure(let refusal): answer("error \(shown): \(refusal.reason.oneLine())")
          }
        }
      }
    }
  }
}
