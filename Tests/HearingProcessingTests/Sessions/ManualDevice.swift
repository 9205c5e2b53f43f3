import HearingProcessing

/// A simulated device with its applicator. The device answers when the test calls ``answer(_:)``.
final class ManualDevice<Value: Equatable & Sendable>: Sendable {
  let applicator: ProcessingApplicator<Value>
  private let state: Lock<State>
  private let count = CurrentValueSource(0)

  private struct State: Sendable {
    var open: [@Sendable (ApplicationResult) -> Void] = []
    var asked: [Value] = []
    var automatic: ApplicationResult?
    var isWilling = true
  }

  /// - Parameter automatic: The immediate answer of the device to every call. If it is nil, the
  ///   test gives the answer with ``answer(_:)``.
  convenience init(
    _ parameter: ProcessingParameter<Value>, named name: String? = nil,
    automatic: ApplicationResult? = nil
  ) {
    self.init(parameter.applicator(named: name), automatic: automatic)
  }

  convenience init(
    _ parameter: RemoteProcessingParameter<Value>, automatic: ApplicationResult? = nil
  ) {
    self.init(parameter.applicator(), automatic: automatic)
  }

  init(_ applicator: ProcessingApplicator<Value>, automatic: ApplicationResult? = nil) {
    self.applicator = applicator
    state = Lock(State(automatic: automatic))
    _ =
      applicator
      .canApply { [weak self] _ in self?.state.withLock { $0.isWilling } ?? true }
      .apply { [weak self] value, result in self?.ask(value, result) }
  }

  /// The values for which the handler `apply` was called.
  var asked: [Value] { state.withLock { $0.asked } }

  var automatic: ApplicationResult? {
    get { state.withLock { $0.automatic } }
    set { state.withLock { $0.automatic = newValue } }
  }

  var isWilling: Bool {
    get { state.withLock { $0.isWilling } }
    set { state.withLock { $0.isWilling = newValue } }
  }

  /// Answers the oldest unanswered call.
  func answer(_ result: ApplicationResult = .success) {
    state.withLock { $0.open.removeFirst() }(result)
  }

  /// Waits until `apply` was called at least `times` times.
  func wasAsked(_ times: Int) async {
    for await count in CurrentValuePublisher(count).values where count >= times { return }
  }

  private func ask(_ value: Value, _ result: @escaping @Sendable (ApplicationResult) -> Void) {
    let automatic = state.withLock { state in
      state.asked.append(value)
      if state.automatic == nil { state.open.append(result) }
      return state.automatic
    }
    count.send(asked.count)
    if let automatic { result(automatic) }
  }
}

/// An error that stands for any error in tests.
struct Trouble: Error, Equatable, CustomStringConvertible {
  var description: String { "trouble" }
}
