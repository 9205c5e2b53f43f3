extension LiveSession {
  /// Why a command was not performed.
  struct Refusal: Error {
    let reason: String

    init(_ reason: String) {
      self.reason = reason
    }
  }
}

extension Result {
  /// The result as the text of an answer.
  func text(_ text: (Success) -> String) -> Result<String, LiveSession.Refusal> {
    map(text).mapError { LiveSession.Refusal("\($0)") }
  }
}
