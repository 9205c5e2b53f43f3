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
    let sequence = makeSequence(request, standing: value)
    phase = .running(sequence)
    sequence.stage = .comparing
    compareNext(sequence)
    return .begin(sequence)
  }

  @inlinable
  mutating func makeSequence(_ request: Request, standing: Value) -> Sequence {
    lastTicket += 1
    return Sequence(
      request, number: lastTicket, standing: standing, applicators: applicators.places)
  }

  /// Chooses the next applicator to compare, if there is one.
  @inlinable
  func compareNext(_ sequence: Sequence) {
    sequence.current = sequence.nextToCompare()
    guard let record = sequence.current else { return }
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
    guard sequence.stage == .comparing else { return next() }
    if sequence.isFirst {
      sequence.changesValue = changesValue
      sequence.isFirst = false
    }
    if let record = sequence.current {
      sequence.compared(record, isOutOfDate: isOutOfDate)
      compareNext(sequence)
      if sequence.current != nil { return .compare }
    }
    sequence.next = 0
    sequence.stage = .verifying
    return nextVerification(sequence)
  }

  /// The driving thread has called `canApply` of an applicator.
  @inlinable
  mutating func verified(_ sequence: Sequence, _ canApply: Bool) -> Action {
    guard sequence.stage == .verifying else { return next() }
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
    guard let record = sequence.nextTurn() else { return conclude(sequence) }
    lastTicket += 1
    sequence.current = record
    sequence.ticket = lastTicket
    sequence.apply = record.handlers.apply
    sequence.timeout = record.handlers.timeout
    call.begin(lastTicket)
    sequence.stage = .calling
    return .call
  }

  /// An `apply` handler has returned.
  ///
  /// - Parameter displaced: Receives a value to be released outside the lock.
  @inlinable
  mutating func returned(
    _ sequence: Sequence, ticket: UInt64, displaced: inout Value?
  ) -> Action {
    guard sequence.stage == .calling else { return next() }
    if call.end(ticket), sequence.answer == nil {
      displaced = note(.success, in: sequence)
    }
    guard sequence.answer != nil else {
      sequence.stage = .awaiting
      return .rest
    }
    return goOn(sequence)
  }

  /// Whether the parameter still waits for the answer to this call.
  @inlinable
  func awaits(_ ticket: UInt64) -> Bool {
    sequence?.awaits(ticket) == true
  }

  /// The current applicator has answered or was removed: continues with the next, or fails.
  @inlinable
  mutating func goOn(_ sequence: Sequence) -> Action {
    let answer = sequence.answer.take()
    if let answer, !answer.isSuccess {
      sequence.failing = (sequence.current?.name, answer)
      sequence.current = nil
      sequence.stage = .calling
      return .fail
    }
    sequence.current = nil
    return nextTurn(sequence)
  }

  /// Stores the error of a failure, which ends the sequence unless the applicators are independent.
  mutating func failed(_ sequence: Sequence, _ error: ParameterError) -> Action {
    guard sequence.stage == .verifying || sequence.stage == .calling else { return next() }
    if sequence.error == nil { sequence.error = error }
    guard sequence.continuesAfterFailure else { return conclude(sequence) }
    return sequence.stage == .verifying ? nextVerification(sequence) : nextTurn(sequence)
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
    if sequence.stage == .awaiting { reaction.action = goOn(sequence) }
    return reaction
  }

  /// Stores an answer and updates the applicator's latest value.
  ///
  /// - Returns: The previous latest value, to be released outside the lock.
  @inlinable
  func note(_ answer: Sequence.Answer, in sequence: Sequence) -> Value? {
    sequence.answer = answer
    guard let record = sequence.current else { return nil }
    switch answer {
    case .success: return record.take(sequence.target, from: sequence.number)
    case .timedOut, .abandoned: return record.forget()
    case .failure, .gone: return nil
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
    _ = record.take(value, from: 0)
    applicators.append(record)
    guard admission == .open else {
      record.catchesUp = true
      return Effects(failing: request, .interrupted)
    }
    return enqueueValue(request)
  }

  /// The last value that an applicator applied; nil if that is unknown.
  func latest(of record: Record) -> Value? {
    if let sequence, sequence.stage == .calling, sequence.current === record,
      sequence.answer == nil, call.hasSucceeded(sequence.ticket)
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
    // While the session is interrupted, whoever is at a value, or at an unknown one, is told the value
    // in force.
    let mayDiffer = admission == .interrupted && (record.latest != nil || record.isUnknown)
    let catchesUp = (record.catchesUp || mayDiffer) && record.handlers.apply != nil
    if catchesUp { record.catchesUp = false }
    return (displaced, catchesUp)
  }
}
