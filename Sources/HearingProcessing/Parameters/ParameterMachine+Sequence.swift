// The events of a sequence. The driving thread reports what it found out or did, and receives the
// next action. Once the session is over there is no sequence: each event then takes the next
// request, finds none, and the thread rests.

extension ParameterMachine {
  /// Takes the next request; if there is none, the thread no longer drives.
  @inlinable
  mutating func next() -> Action {
    guard let request = queue.popFirst() else {
      phase = .idle
      return isOver ? .finish : .rest
    }
    return begin(request)
  }

  @inlinable
  mutating func begin(_ request: Request) -> Action {
    let sequence = Sequence(request, standing: value, applicators: applicators.places)
    phase = .comparing(sequence)
    sequence.current = sequence.nextToCompare()
    sequence.latest = sequence.current?.latest
    return .compare(sequence)
  }

  /// An applicator was compared.
  ///
  /// - Parameter changesValue: Whether the target differs from the parameter's value; counts for the
  ///   first comparison of a sequence.
  @inlinable
  mutating func compared(
    _ sequence: Sequence, changesValue: Bool, isOutOfDate: Bool
  ) -> Action {
    guard case .comparing = phase else { return next() }
    if sequence.isFirst { sequence.changesValue = changesValue }
    sequence.isFirst = false
    if let record = sequence.current {
      if isOutOfDate { sequence.addTurn(record) }
      if let following = sequence.nextToCompare() {
        sequence.current = following
        sequence.latest = following.latest
        return .compare(sequence)
      }
    }
    sequence.current = nil
    sequence.next = 0
    phase = .verifying(sequence)
    return nextVerification(sequence)
  }

  /// An applicator said whether it can apply the value.
  @inlinable
  mutating func verified(_ canApply: Bool) -> Action {
    guard case .verifying(let sequence) = phase else { return next() }
    return canApply ? nextVerification(sequence) : conclude(sequence, .cannotApply)
  }

  @inlinable
  mutating func nextVerification(_ sequence: Sequence) -> Action {
    if let verify = sequence.nextVerification() {
      sequence.verify = verify
      return .verify(sequence)
    }
    sequence.next = 0
    return nextTurn(sequence)
  }

  @inlinable
  mutating func nextTurn(_ sequence: Sequence) -> Action {
    guard let record = sequence.nextTurn(), let apply = record.handlers.apply else {
      return conclude(sequence, nil)
    }
    lastTicket += 1
    sequence.current = record
    sequence.ticket = lastTicket
    sequence.apply = apply
    sequence.timeout = record.handlers.timeout
    call.begin(lastTicket)
    phase = .calling(sequence)
    return .call(sequence)
  }

  /// An `apply` handler has returned.
  ///
  /// - Parameter displaced: Receives a value to be released outside the lock.
  @inlinable
  mutating func returned(ticket: UInt64, displaced: inout Value?) -> Action {
    guard case .calling(let sequence) = phase, sequence.ticket == ticket else { return next() }
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

  /// Whether the answer to this call is still to come.
  @inlinable
  func awaits(_ ticket: UInt64) -> Bool {
    if case .awaiting(let sequence) = phase { sequence.ticket == ticket } else { false }
  }

  /// The applicator whose turn it is has answered, or is gone: the next one's turn, or the end.
  @inlinable
  mutating func goOn(_ sequence: Sequence) -> Action {
    sequence.current = nil
    let answer = sequence.answer.take()
    if let error = answer?.error { return conclude(sequence, error) }
    return nextTurn(sequence)
  }

  /// Every applicator has applied, or `error` ends the sequence.
  @inlinable
  mutating func conclude(_ sequence: Sequence, _ error: ParameterError?) -> Action {
    phase = .between
    if let error {
      sequence.error = error
      sequence.clearTurns()
      sequence.displaced = updates.conclude(.failed(sequence.target, error))
    } else {
      if sequence.changesValue { value = sequence.target }
      sequence.displaced = updates.conclude(.applied)
    }
    return .conclude(sequence)
  }
}

// MARK: - Answers

extension ParameterMachine {
  /// What remains to be done after an answer.
  @usableFromInline
  struct Reaction: Sendable {
    @usableFromInline var action = Action.rest
    @usableFromInline var timer: ObservationToken?
    /// To be released outside the lock.
    @usableFromInline var displaced: Value?

    @usableFromInline
    init() {}
  }

  /// An applicator has answered, in time or not, or its time is up, or it is gone.
  @usableFromInline
  mutating func answered(ticket: UInt64, _ answer: Sequence.Answer) -> Reaction {
    var reaction = Reaction()
    guard let sequence = callingSequence, sequence.ticket == ticket, sequence.answer == nil else {
      return reaction
    }
    reaction.timer = sequence.timer.take()
    reaction.displaced = note(answer, in: sequence)
    if case .awaiting = phase { reaction.action = goOn(sequence) }
    return reaction
  }

  /// Notes an answer and what it says of the applicator's value.
  ///
  /// - Returns: The value before, to be released outside the lock.
  @inlinable
  func note(_ answer: Sequence.Answer, in sequence: Sequence) -> Value? {
    sequence.answer = answer
    let before = sequence.current?.latest
    switch answer {
    case .success:
      sequence.current?.latest = sequence.target
      return before
    case .timedOut, .abandoned:
      sequence.current?.latest = nil
      return before
    case .failure, .gone:
      return nil
    }
  }

  /// The time-out was armed: returns the token if it is no longer needed.
  @usableFromInline
  mutating func keep(_ timer: ObservationToken, forTicket ticket: UInt64) -> ObservationToken? {
    guard awaits(ticket) else { return timer }
    sequence?.timer = timer
    return nil
  }
}

// MARK: - Applicators

extension ParameterMachine {
  /// An applicator joins; nothing is sent to it until the next sequence.
  mutating func join(_ record: Record) {
    applicators.append(record)
  }

  /// An applicator joins that is already at `value`; the request brings the others there.
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

  /// The value that an applicator is known to have applied.
  func latest(of record: Record) -> Value? {
    if case .calling(let sequence) = phase, sequence.current === record, sequence.answer == nil,
      call.hasSucceeded(sequence.ticket)
    {
      return sequence.target
    }
    return record.latest
  }

  /// What remains to be done after an applicator has left.
  struct Departure: Sendable {
    var reaction: Reaction
    /// To be released outside the lock.
    let handlers: Record.Handlers
  }

  /// An applicator leaves; nil if it has left before.
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

  /// Changes handlers: returns those before, and whether the applicator is now to be brought up to
  /// date.
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
