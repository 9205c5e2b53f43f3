// The parameter's part in an update of several parameters. Its request waits in the queue until it
// is first; when the same holds for all parameters of the update, the update starts. The update
// drives its parts one after the other: each pauses when all its applicators were asked whether
// they can apply, and again when all have applied; all parts finish together.

extension ParameterMachine {
  /// Puts a request of an update into the queue: before all others if `isNext`, else last.
  ///
  /// - Returns: The effects; they name the request that this one supersedes.
  mutating func join(_ request: Request, isNext: Bool) -> Effects {
    var effects = Effects()
    if request.isValue, !request.isCounted {
      count(request)
      dropWaiting(.superseded, &effects)
    }
    if request.hasValue { queuedValues += 1 }
    if isNext { queue.prepend(request) } else { queue.append(request) }
    if case .idle = phase { phase = .blocked }
    return effects
  }

  /// Blocks the parameter: the next request belongs to an update, and no thread drives until that
  /// update starts.
  @usableFromInline
  mutating func block(_ request: Request) -> Action {
    queue.prepend(request)
    if request.hasValue { queuedValues += 1 }
    phase = .blocked
    return .offer
  }

  /// The update that the parameter waits for.
  var blockingUpdate: JointUpdate? {
    if case .blocked = phase { queue.first?.update } else { nil }
  }

  /// Starts the update that the parameter waits for.
  ///
  /// - Parameters:
  ///   - target: Replaces the target of the request; nil: the request keeps its own.
  ///   - standing: The value in force.
  mutating func start(
    _ update: JointUpdate, _ target: Request.Target? = nil, standing: Value
  ) {
    guard case .blocked = phase, var request = queue.popFirst(), request.update === update else {
      preconditionFailure("an update starts that is not first in the queue")
    }
    if request.hasValue { queuedValues -= 1 }
    if let target { request = request.asking(for: target) }
    if case .place = request.target {
      phase = .held(update, nil)
    } else {
      phase = .held(update, makeSequence(request, standing: standing))
    }
  }

  /// Whether the value requested last is in force, and no request is running, waiting or queued.
  var isAtRest: Bool {
    if case .idle = phase { !debounce.isWaiting } else { false }
  }

  /// Starts an update at once with its own part for this parameter, which must be at rest.
  ///
  /// - Parameters:
  ///   - value: The value to apply; it differs from the one in force.
  ///   - unused: The result of a request that is part of an update.
  /// - Returns: Whether the part must be driven; false if there are no applicators.
  mutating func startAtOnce(
    _ update: JointUpdate, _ value: Value, unused: ResultPublisher<Value, ParameterError>
  ) -> Bool {
    var request = Request(.value(value), result: unused)
    count(request)
    if applicators.isEmpty {
      phase = .taking(update, value)
      return false
    }
    request.update = update
    startAtOnce(request, update, standing: self.value)
    return true
  }

  /// Starts an update at once with this request; the parameter must be at rest.
  mutating func startAtOnce(_ request: Request, _ update: JointUpdate, standing: Value) {
    phase = .held(update, makeSequence(request, standing: standing))
  }

  /// Starts an update at once that holds the parameter without changing it; the parameter must be
  /// at rest.
  mutating func holdAtOnce(_ update: JointUpdate) {
    phase = .held(update, nil)
  }

  /// Continues the part: the first call compares and verifies, the second applies.
  mutating func resume(_ update: JointUpdate) -> (Action, Sequence?) {
    guard case .held(let holder, let sequence?) = phase, holder === update else {
      return (.rest, nil)
    }
    phase = .running(sequence)
    guard sequence.isFirst else { return (nextTurn(sequence), sequence) }
    sequence.stage = .comparing
    compareNext(sequence)
    return (.compare, sequence)
  }

  /// Pauses the part at the end of a stage.
  @usableFromInline
  mutating func pause(_ sequence: Sequence, _ update: JointUpdate) -> Action {
    if sequence.error != nil, !sequence.continuesAfterFailure { sequence.clearTurns() }
    sequence.stage = .paused
    phase = .held(update, sequence)
    return .pause
  }

  /// Why the part of the update has failed, if it has.
  func error(of update: JointUpdate) -> ParameterError? {
    if case .held(let holder, let sequence) = phase, holder === update {
      sequence?.error
    } else {
      nil
    }
  }

  /// Whether the update has its turn here and waits for other parts.
  func isHeld(for update: JointUpdate) -> Bool {
    switch phase {
    case .held(let holder, _), .taking(let holder, _): holder === update
    case .idle, .between, .running, .blocked: false
    }
  }

  /// The value after the current update, if that succeeds.
  var valueToCome: Value { target ?? value }

  /// The work that remains outside the lock after the end of an update.
  struct EndedPart: Sendable {
    /// The value to publish, if it changes.
    var value: Value?
    /// To be released outside the lock.
    var sequence: Sequence?
    /// The previous outcome of a part that had no sequence; to be released outside the lock.
    var displaced: Outcome?

    /// Whether the parameter had a part, and was not just held.
    var hasEnded: Bool { sequence != nil || displaced != nil }
  }

  /// Ends the update with success or `error`; the calling thread continues with `next`.
  mutating func finish(_ update: JointUpdate, _ error: ParameterError?) -> EndedPart {
    switch phase {
    case .held(let holder, let sequence) where holder === update:
      phase = .between
      guard let sequence else { return EndedPart() }
      if let error {
        sequence.clearTurns()
        sequence.displaced = updates.conclude(.failed(sequence.target, sequence.error ?? error))
        return EndedPart(sequence: sequence)
      }
      sequence.displaced = updates.conclude(.applied)
      if sequence.changesValue { value = sequence.target }
      return EndedPart(value: sequence.changesValue ? value : nil, sequence: sequence)
    case .taking(let holder, let target) where holder === update:
      phase = .between
      if let error { return EndedPart(displaced: updates.conclude(.failed(target, error))) }
      value = target
      return EndedPart(value: target, displaced: updates.conclude(.applied))
    case .idle, .between, .running, .blocked, .held, .taking:
      return EndedPart()
    }
  }

  /// Ends the driving of an update that is finished, if there is nothing else to do.
  mutating func restsAfterUpdate() -> Bool {
    guard case .between = phase, queue.isEmpty, !isReleased, !updates.isWatched else {
      return false
    }
    phase = .idle
    return true
  }

  /// Ends the update early: removes it from the queue, or releases the parameter that it holds.
  ///
  /// - Returns: Whether the calling thread must continue with `next`, and the objects to release
  ///   outside the lock.
  mutating func withdraw(
    _ update: JointUpdate, _ error: ParameterError
  ) -> (drives: Bool, released: [Request], part: EndedPart) {
    let released = queue.removeAll { $0.update === update }
    for request in released where request.hasValue { queuedValues -= 1 }
    switch phase {
    case .held(let holder, _) where holder === update,
      .taking(let holder, _) where holder === update:
      return (true, released, finish(update, error))
    case .running(let sequence):
      if sequence.request.update === update {
        if sequence.error == nil { sequence.error = error }
        sequence.clearTurns()
      }
      return (false, released, EndedPart())
    case .blocked where queue.first?.update == nil:
      phase = .between
      return (true, released, EndedPart())
    case .idle, .between, .blocked, .held, .taking:
      return (false, released, EndedPart())
    }
  }

  /// The value requested last: debounced, queued, in flight or current.
  var lastAsked: Value {
    debounce.waiting?.value ?? lastQueued ?? target ?? value
  }

  private var lastQueued: Value? {
    queuedValues == 0 ? nil : queue.last { $0.value }
  }
}

extension ParameterRequest {
  /// The same request with another target.
  fileprivate func asking(for target: Target) -> ParameterRequest {
    var request = ParameterRequest(target, result: result)
    request.update = update
    return request
  }
}
