import TestSupport
import HearingProcessing

/// The simulated target of an applicator. It logs each call. It answers immediately, or later when
/// the test calls ``answer(_:)``.
final class Device<Value: Equatable & Sendable>: Sendable {
  typealias Answer = @Sendable (ApplicationResult) -> Void

  let name: String
  private let log: EventLog
  private let state: Guarded<State>

  private struct State: Sendable {
    var immediate: ApplicationResult?
    var isWilling = true
    var pending: [Answer] = []
  }

  /// - Parameter immediate: The answer that the device gives before `apply` returns. If it is nil,
  ///   the test gives the answer with ``answer(_:)``.
  init(_ name: String, _ log: EventLog, answers immediate: ApplicationResult? = .success) {
    self.name = name
    self.log = log
    state = Guarded(State(immediate: immediate))
  }

  /// The answer of the device to `canApply`.
  var isWilling: Bool {
    get { state.withLock { $0.isWilling } }
    set { state.withLock { $0.isWilling = newValue } }
  }

  /// The answer that the device gives before `apply` returns. If it is nil, the test gives the
  /// answer with ``answer(_:)``.
  var immediate: ApplicationResult? {
    get { state.withLock { $0.immediate } }
    set { state.withLock { $0.immediate = newValue } }
  }

  /// The number of calls that the device has not answered yet.
  var owes: Int { state.withLock { $0.pending.count } }

  /// Connects `applicator` to this device.
  @discardableResult
  func attach(_ applicator: ProcessingApplicator<Value>) -> ProcessingApplicator<Value> {
    applicator
      .canApply { [self] value in
        log.note("\(name)? \(value)")
        return isWilling
      }
      .apply { [self] value, answer in
        log.note("\(name) \(value)")
        if let immediate {
          answer(immediate)
        } else {
          state.withLock { $0.pending.append(answer) }
        }
      }
  }

  /// Answers the oldest unanswered call. Returns the result handler of this call, so that the test
  /// can call the handler a second time.
  @discardableResult
  func answer(_ result: ApplicationResult = .success) -> Answer? {
    let answer = state.withLock { $0.pending.isEmpty ? nil : $0.pending.removeFirst() }
    answer?(result)
    return answer
  }

  /// Releases the result handler of the oldest unanswered call. The call gets no answer.
  func forget() {
    _ = state.withLock { $0.pending.removeFirst() }
  }
}
