import HearingProcessing

/// Prints the tour.
enum Narrator {
  static func chapter(_ title: String) {
    print("\n\(title)")
  }

  static func say(_ sentence: String) {
    print("  \(sentence)")
  }

  /// Tells a result that is there already.
  static func result(of publisher: ResultPublisher<Float, ParameterError>) {
    tell(publisher) { "\($0)" }
  }

  /// Tells a result that is there already.
  static func result(of publisher: ResultPublisher<Bool, ParameterError>) {
    tell(publisher) { "\($0)" }
  }

  /// Waits for what came of loading, and tells it.
  static func result(ofLoading publisher: ResultPublisher<Preset?, ParameterError>) async {
    do {
      say("result: \(try await publisher.get() == nil ? "no preset" : "a preset")")
    } catch {
      say("result: \(error)")
    }
  }

  private static func tell<Value: Sendable>(
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
