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
    return UpdateMark(phase: .outcome, count: outcomeCount)
  }

  /// The state to publish, if it is not the one that was published last.
  ///
  /// - Parameter standing: The parameter's value.
  @inlinable
  mutating func takeUpdate(standing: () -> Value) -> UpdateState<Value>? {
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

  /// Load `number` is over: with an error, or with a value that is handed in next.
  mutating func endLoading(_ number: UInt64, _ error: ParameterError?) {
    if load == number { load = nil }
    guard let error, !isClosed else { return }
    lastOutcome = .loadFailed(error)
    outcomeCount += 1
  }
}
