import TestSupport
import HearingProcessing

/// Stands for what an applicator drives: notes what it is asked, and answers at once or when told.
final class Device<Value: Sendable>: Sendable {
  typealias Answer = @Sendable (ApplicationResult) -> Void

  let name: String
  private let log: EventLog
  private let state: Guarded<State>

  private struct State: Sendable {
    var immediate: ApplicationResult?
    var isWilling = true
    var pending: [Answer] = []
  }

  /// - Parameter immediate: The answer that it gives before `apply` returns; nil: none.
  init(_ name: String, _ log: EventLog, answers immediate: ApplicationResult? = .success) {
    self.name = name
    self.log = log
    state = Guarded(State(immediate: immediate))
  }

  /// Whether the device says that it can apply a value.
  var isWilling: Bool {
    get { state.withLock { $0.isWilling } }
    set { state.withLock { $0.isWilling = newValue } }
  }

  /// The answer that it gives before `apply` returns; nil: none.
  var immediate: ApplicationResult? {
    get { state.withLock { $0.immediate } }
    set { state.withLock { $0.immediate = newValue } }
  }

  /// How many answers it owes.
  var owes: Int { state.withLock { $0.pending.count } }

  /// Lets `applicator` drive this device.
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

  /// Gives the oldest answer that it owes, and returns it for a second use.
  @discardableResult
  func answer(_ result: ApplicationResult = .success) -> Answer? {
    let answer = state.withLock { $0.pending.isEmpty ? nil : $0.pending.removeFirst() }
    answer?(result)
    return answer
  }

  /// Forgets the oldest answer that it owes.
  func forget() {
    _ = state.withLock { $0.pending.removeFirst() }
  }
}
