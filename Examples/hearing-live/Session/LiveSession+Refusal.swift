extension LiveSession {
  /// The reason why a command was not executed.
  struct Refusal: Error {
    let reason: String

    init(_ reason: String) {
      self.reason = reason
    }
  }
}

extension Result {
  /// The result as the text of an answer to a command.
  func text(_ text: (Success) -> String) -> Result<String, LiveSession.Refusal> {
    map(text).mapError { LiveSession.Refusal("\($0)") }
  }
}
