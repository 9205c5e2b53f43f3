import HearingProcessing

/// Prints the text of the tour.
enum Narrator {
  static func chapter(_ title: String) {
    print("\n\(title)")
  }

  static func say(_ sentence: String) {
    print("  \(sentence)")
  }

  /// Prints the result of `publisher`. The result must be known already.
  static func result(of publisher: ResultPublisher<Float, ParameterError>) {
    say(publisher) { "\($0)" }
  }

  /// Prints the result of `publisher`. The result must be known already.
  static func result(of publisher: ResultPublisher<Bool, ParameterError>) {
    say(publisher) { "\($0)" }
  }

  /// Waits until a preset has been loaded or loading has failed, and prints the result.
  static func result(ofLoading publisher: ResultPublisher<Preset?, ParameterError>) async {
    do {
      say("result: \(try await publisher.get() == nil ? "no preset" : "a preset")")
    } catch {
      say("result: \(error)")
    }
  }

  private static func say<Value: Sendable>(
    _ publisher: ResultPublisher<Value, ParameterError>,
    _ text: @escaping @Sendable (Value) -> String
  ) {
    let token = publisher.sink { completion in
      if case .failure(let error) = completion { say("result: \(error)") }
    } receiveValue: {
      say("result: \(text($0))")
    }
    token.cancel()
  }
}
