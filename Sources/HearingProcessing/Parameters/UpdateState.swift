/// The progress of a parameter's current work, for a progress view or a status line.
///
/// If several states apply, the first in this order is shown: applying, loading, waiting, last
/// outcome. A value that was refused without a sequence does not change it.
public enum UpdateState<Value: Sendable>: Sendable {
  /// Nothing is pending, and the last sequence, if any, succeeded.
  case applied
  /// A value is debounced (`DeliveryMode.discrete`).
  case waiting
  /// A value is being loaded (`RemoteProcessingParameter.reload()`).
  case loading
  /// The applicators are applying this value.
  case applying(Value)
  /// The last sequence failed: its value, and the error. After a failed load it contains the
  /// parameter's current value.
  indirect case failed(Value, ParameterError)
}

extension UpdateState: Equatable where Value: Equatable {}

/// The parts of a parameter's update state besides the current sequence: the load, the last
/// outcome, and which state was published last.
@usableFromInline
struct UpdateTracker<Value: Sendable>: Sendable {
  /// The number of the current load.
  @usableFromInline var load: UInt64?
  var lastLoad: UInt64 = 0
  var outcome = Outcome.applied
  var outcomeCount: UInt64 = 0
  var published = Mark(phase: .outcome, count: 0)
  /// Whether the state was accessed; until then none is published.
  @usableFromInline var isWatched = false

  @usableFromInline
  init() {}

  /// How a sequence or a load ended.
  @usableFromInline
  enum Outcome: Sendable {
    case applied
    indirect case failed(Value, ParameterError)
    /// A load failed: published with the parameter's current value.
    case loadFailed(ParameterError)

    var isFailure: Bool {
      if case .applied = self { false } else { true }
    }
  }

  /// Distinguishes states without comparing values.
  @usableFromInline
  struct Mark: Equatable, Sendable {
    @usableFromInline let phase: Phase
    let count: UInt64

    @usableFromInline
    init(phase: Phase, count: UInt64) {
      self.phase = phase
      self.count = count
    }

    @usableFromInline
    enum Phase: Sendable {
      case applying, loading, waiting, outcome
    }
  }

  /// - Parameters:
  ///   - isApplying: Whether applicators are being asked.
  ///   - isWaiting: Whether a value is debounced.
  func mark(isApplying: Bool, isWaiting: Bool) -> Mark {
    if isApplying { return Mark(phase: .applying, count: outcomeCount) }
    if load != nil { return Mark(phase: .loading, count: 0) }
    if isWaiting { return Mark(phase: .waiting, count: 0) }
    if case .applied = outcome { return Mark(phase: .outcome, count: 0) }
    return Mark(phase: .outcome, count: outcomeCount)
  }

  /// Stores how a sequence or a load ended.
  ///
  /// - Returns: The previous outcome, to be released outside the lock.
  @usableFromInline
  mutating func conclude(_ newOutcome: Outcome) -> Outcome {
    let displaced = outcome
    outcome = newOutcome
    outcomeCount += 1
    return displaced
  }

  /// Load `number` has begun; it may replace an earlier one.
  mutating func beginLoading(_ number: UInt64) {
    guard number > lastLoad else { return }
    lastLoad = number
    load = number
  }

  /// Load `number` is over.
  mutating func endLoading(_ number: UInt64) {
    if load == number { load = nil }
  }
}

// MARK: - The update state of a parameter

extension ParameterMachine {
  /// Whether a sequence is about to begin: it publishes its own state, so none is published now.
  var isAboutToBegin: Bool {
    switch phase {
    case .idle, .blocked: false
    case .between: !queue.isEmpty
    case .running(let sequence): sequence.stage == .comparing || !sequence.hasTurns
    case .held(_, let sequence): sequence?.hasTurns == false
    case .taking: true
    }
  }

  /// The current update state.
  var updateState: UpdateState<Value> {
    switch updateMark.phase {
    case .applying: sequence.map { .applying($0.target) } ?? .applied
    case .loading: .loading
    case .waiting: .waiting
    case .outcome:
      switch updates.outcome {
      case .applied: .applied
      case .failed(let value, let error): .failed(value, error)
      case .loadFailed(let error): .failed(value, error)
      }
    }
  }

  private var updateMark: UpdateTracker<Value>.Mark {
    let isApplying: Bool
    switch phase {
    case .running(let sequence):
      isApplying = sequence.stage != .comparing && sequence.hasTurns
    case .held(_, let sequence):
      isApplying = sequence?.hasTurns == true
    case .idle, .between, .blocked, .taking:
      isApplying = false
    }
    return updates.mark(isApplying: isApplying, isWaiting: debounce.isWaiting)
  }

  /// The state to publish; nil if it was published last.
  ///
  /// - Parameter isEnding: Whether a sequence has just ended: its outcome is published even if
  ///   another sequence follows.
  @usableFromInline
  mutating func takeUpdate(isEnding: Bool = false) -> UpdateState<Value>? {
    guard isEnding || !isAboutToBegin else { return nil }
    let mark = updateMark
    guard mark != updates.published else { return nil }
    updates.published = mark
    return updateState
  }
}
