// The events of a sequence. The driving thread reports the outcome of its last action and receives
// the next one. After the session has ended there is no sequence: each event then takes the next
// request, finds none, and the thread stops driving.

extension ParameterMachine {
  /// Takes the next request; if there is none, the thread stops driving.
  @inlinable
  mutating func next() -> Action {
    guard let request = queue.popFirst() else {
      phase = .idle
      return isOver ? .finish : .rest
    }
    if request.hasValue { queuedValues -= 1 }
    if request.update != nil { return block(request) }
    return begin(request)
  }

  @inlinable
  mutating func begin(_ request: Request) -> Action {
    let sequence = Sequence(request, standing: value, applicators: applicators.places)
    phase = .comparing(sequence)
    if let record = sequence.nextToCompare() { compareNext(record, sequence) }
    return .begin(sequence)
  }

  @inlinable
  func compareNext(_ record: Record, _ sequence: Sequence) {
    sequence.current = record
    sequence.latest = record.latest
    sequence.isUnknown = record.isUnknown
  }

  /// The driving thread has compared an applicator.
  ///
  /// - Parameter changesValue: Whether the target differs from the parameter's value; used for the
  ///   first comparison of a sequence.
  @inlinable
  mutating func compared(
    _ sequence: Sequence, changesValue: Bool, isOutOfDate: Bool
  ) -> Action {
    guard case .comparing = phase else { return next() }
    if sequence.isFirst {
      sequence.changesValue = changesValue
      sequence.isFirst = false
    }
    if let record = sequence.current {
      if isOutOfDate { sequence.addTurn(record) }
      if let following = sequence.nextToCompare() {
        compareNext(following, sequence)
        return .compare
      }
    }
    sequence.current = nil
    sequence.next = 0
    phase = .verifying(sequence)
    return nextVerification(sequence)
  }

  /// The driving thread has called `canApply` of an applicator.
  @inlinable
  mutating func verified(_ sequence: Sequence, _ canApply: Bool) -> Action {
    guard case .verifying = phase else { return next() }
    if !canApply {
      sequence.failing = (sequence.current?.name, nil)
      sequence.current?.isOutOfDate = false
      return .fail
    }
    return nextVerification(sequence)
  }

  @inlinable
  mutating func nextVerification(_ sequence: Sequence) -> Action {
    if let record = sequence.nextToVerify() {
      sequence.current = record
      sequence.verify = record.handlers.verify
      return .verify
    }
    sequence.current = nil
    sequence.next = 0
    if let update = sequence.request.update { return pause(sequence, update) }
    return nextTurn(sequence)
  }

  @inlinable
  mutating func nextTurn(_ sequence: Sequence) -> Action {
    guard let record = sequence.nextTurn(), let apply = record.handlers.apply else {
      return conclude(sequence)
    }
    lastTicket += 1
    sequence.current = record
    sequence.ticket = lastTicket
    sequence.apply = apply
    sequence.timeout = record.handlers.timeout
    call.begin(lastTicket)
    if case .calling = phase {
    } else {
      phase = .calling(sequence)
    }
    return .call
  }

  /// An `apply` handler has returned.
  ///
  /// - Parameter displaced: Receives a value to be released outside the lock.
  @inlinable
  mutating func returned(
    _ sequence: Sequence, ticket: UInt64, displaced: inout Value?
  ) -> Action {
    guard case .calling = phase else { return next() }
    call.end(ticket)
    if sequence.answer == nil, call.hasSucceeded(ticket) {
      displaced = note(.success, in: sequence)
    }
    guard sequence.answer != nil else {
      phase = .awaiting(sequence)
      return .rest
    }
    return goOn(sequence)
  }

  /// Whether the parameter still waits for the answer to this call.
  @inlinable
  func awaits(_ ticket: UInt64) -> Bool {
    if case .awaiting(let sequence) = phase { sequence.ticket == ticket } else { false }
  }

  /// The current applicator has answered or was removed: continues with the next, or fails.
  @inlinable
  mutating func goOn(_ sequence: Sequence) -> Action {
    let answer = sequence.answer.take()
    if let answer, !answer.isSuccess {
      sequence.failing = (sequence.current?.name, answer)
      sequence.current = nil
      if case .awaiting = phase { phase = .calling(sequence) }
      return .fail
    }
    sequence.current = nil
    return nextTurn(sequence)
  }

  /// Takes the error of a failure: it ends the sequence, unless the applicators are independent.
  mutating func failed(_ sequence: Sequence, _ error: ParameterError) -> Action {
    switch phase {
    case .idle, .between, .comparing, .awaiting, .blocked, .held, .taking:
      return next()
    case .verifying, .calling:
      if sequence.error == nil { sequence.error = error }
      guard sequence.continuesAfterFailure else { return conclude(sequence) }
      if case .verifying = phase { return nextVerification(sequence) }
      return nextTurn(sequence)
    }
  }

  /// Every applicator has had its turn, or the sequence has an error.
  @inlinable
  mutating func conclude(_ sequence: Sequence) -> Action {
    if let update = sequence.request.update { return pause(sequence, update) }
    phase = .between
    if let error = sequence.error {
      sequence.clearTurns()
      sequence.displaced = updates.conclude(.failed(sequence.target, error))
    } else {
      if sequence.changesValue { value = sequence.target }
      sequence.displaced = updates.conclude(.applied)
    }
    return .conclude
  }
}

// MARK: - Answers

extension ParameterMachine {
  /// The work that remains after an answer.
  @usableFromInline
  struct Reaction: Sendable {
    @usableFromInline var action = Action.rest
    /// The sequence that `action` belongs to.
    var sequence: Sequence?
    @usableFromInline var timer: ObservationToken?
    /// Cancels the task of a call whose answer is no longer awaited.
    var cancelCall: (@Sendable () -> Void)?
    /// To be released outside the lock.
    @usableFromInline var displaced: Value?

    @usableFromInline
    init() {}
  }

  /// An applicator has answered (in time or late), has timed out, or was removed.
  @usableFromInline
  mutating func answered(ticket: UInt64, _ answer: Sequence.Answer) -> Reaction {
    var reaction = Reaction()
    guard let sequence = callingSequence, sequence.ticket == ticket,
      let record = sequence.current, sequence.answer == nil
    else { return reaction }
    reaction.timer = sequence.timer.take()
    reaction.displaced = note(answer, in: sequence)
    reaction.sequence = sequence
    switch answer {
    case .timedOut, .gone: reaction.cancelCall = record.handlers.cancel
    case .success, .failure, .abandoned: break
    }
    if case .awaiting = phase { reaction.action = goOn(sequence) }
    return reaction
  }

  /// Stores an answer and updates the applicator's latest value.
  ///
  /// - Returns: The previous latest value, to be released outside the lock.
  @inlinable
  func note(_ answer: Sequence.Answer, in sequence: Sequence) -> Value? {
    sequence.answer = answer
    let before = sequence.current?.latest
    switch answer {
    case .success:
      sequence.current?.latest = sequence.target
      sequence.current?.isUnknown = false
      return before
    case .timedOut, .abandoned:
      sequence.current?.latest = nil
      sequence.current?.isUnknown = true
      return before
    case .failure, .gone:
      return nil
    }
  }

  /// Stores the token of a time-out that was armed; returns it if it is no longer needed.
  mutating func keep(_ timer: ObservationToken, forTicket ticket: UInt64) -> ObservationToken? {
    guard awaits(ticket) else { return timer }
    sequence?.timer = timer
    return nil
  }
}

// MARK: - Applicators

extension ParameterMachine {
  /// Registers an applicator; it is not called until the next sequence.
  mutating func join(_ record: Record) {
    applicators.append(record)
  }

  /// Registers an applicator that already has `value`; the request applies it to the others.
  mutating func join(_ record: Record, at value: Value, _ request: Request) -> Effects {
    guard admission != .closed else { return Effects(failing: request, .sessionDeactivated) }
    record.latest = value
    applicators.append(record)
    guard admission == .open else {
      record.catchesUp = true
      return Effects(failing: request, .interrupted)
    }
    return enqueueValue(request)
  }

  /// The last value that an applicator applied; nil if that is unknown.
  func latest(of record: Record) -> Value? {
    if case .calling(let sequence) = phase, sequence.current === record, sequence.answer == nil,
      call.hasSucceeded(sequence.ticket)
    {
      return sequence.target
    }
    return record.latest
  }

  /// The work that remains after an applicator was removed.
  struct Departure: Sendable {
    var reaction: Reaction
    /// To be released outside the lock.
    let handlers: Record.Handlers
  }

  /// Removes an applicator; nil if it was removed before.
  mutating func remove(_ record: Record) -> Departure? {
    guard applicators.remove(record) != nil else { return nil }
    var reaction = Reaction()
    if let sequence = callingSequence, sequence.current === record {
      reaction = answered(ticket: sequence.ticket, .gone)
    }
    let departure = Departure(reaction: reaction, handlers: record.handlers)
    record.handlers = .init()
    return departure
  }

  /// Changes handlers: returns the previous ones, and whether the applicator must now be
  /// synchronized.
  mutating func configure(
    _ record: Record, _ change: (inout Record.Handlers) -> Void
  ) -> (displaced: Record.Handlers, catchesUp: Bool) {
    let displaced = record.handlers
    guard record.isRegistered else { return (displaced, false) }
    change(&record.handlers)
    let catchesUp = record.catchesUp && record.handlers.apply != nil
    if catchesUp { record.catchesUp = false }
    return (displaced, catchesUp)
  }
}
