extension ParameterMachine {
  /// Tells one state of affairs from another without comparing values.
  @usableFromInline
  struct UpdateMark: Equatable, Sendable {
    @usableFromInline let phase: Phase
    @usableFromInline let count: UInt64

    @inlinable
    init(phase: Phase, count: UInt64) {
      self.phase = phase
      self.count = count
    }

    @usableFromInline
    enum Phase: Sendable {
      case applying
      case loading
      case waiting
      case outcome
    }
  }

  @inlinable
  var updateMark: UpdateMark {
    if sequence?.value != nil { return UpdateMark(phase: .applying, count: outcomeCount) }
    if load != nil { return UpdateMark(phase: .loading, count: 0) }
    if debounce.waiting != nil { return UpdateMark(phase: .waiting, count: 0) }
    if case .applied = lastOutcome { return UpdateMark(phase: .outcome, count: 0) }
    return UpdateMark(phase: .outcome, count: outcomeCount)
  }

  /// Whether a sequence comes next: it tells of itself, and nothing is told before.
  @inlinable
  var isAboutToBegin: Bool {
    if let sequence { return sequence.value == nil }
    return isDriven && !queue.isEmpty
  }

  /// The state to publish, if it is not the one that was published last.
  ///
  /// - Parameters:
  ///   - isEnding: Whether a sequence has just ended: its outcome is told although another comes.
  ///   - standing: The parameter's value.
  @inlinable
  mutating func takeUpdate(isEnding: Bool, standing: () -> Value) -> UpdateState<Value>? {
    guard isEnding || !isAboutToBegin else { return nil }
    let mark = updateMark
    guard mark != publishedMark else { return nil }
    publishedMark = mark
    switch mark.phase {
    case .applying: return sequence?.value.map { .applying($0) }
    case .loading: return .loading
    case .waiting: return .waiting
    case .outcome:
      switch lastOutcome {
      case .applied: return .applied
      case .failed(let value, let error): return .failed(value, error)
      case .loadFailed(let error): return .failed(standing(), error)
      }
    }
  }

  /// Load `number` has begun, perhaps in place of an earlier one.
  mutating func beginLoading(_ number: UInt64) {
    guard !isClosed, number > lastLoad else { return }
    lastLoad = number
    load = number
  }

  /// Load `number` is over.
  mutating func endLoading(_ number: UInt64) {
    if load == number { load = nil }
  }

  /// Load `number` has failed: returns what is only to be released outside the lock.
  mutating func failLoading(_ number: UInt64, _ error: ParameterError) -> Outcome? {
    endLoading(number)
    return isClosed ? nil : conclude(.loadFailed(error))
  }

  /// Notes how a sequence or a load ended: returns how the one before it did, which is only to be
  /// released outside the lock.
  @inlinable
  mutating func conclude(_ outcome: Outcome) -> Outcome {
    let displaced = lastOutcome
    lastOutcome = outcome
    outcomeCount += 1
    return displaced
  }
}
