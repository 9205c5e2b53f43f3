extension ParameterMachine {
  /// What the driving thread is to do next.
  @usableFromInline
  enum Step: Sendable {
    /// Nothing is left: the thread no longer drives. `isOver`: nothing can come any more.
    case idle(isOver: Bool)
    /// Find out which applicators are out of date, then `compared`.
    case compare(Request, ContiguousArray<Candidate>)
    /// Ask an applicator, then `verified`.
    case verify(@Sendable (Value) -> Bool, Value)
    /// Call an applicator, then `applyReturned`.
    case apply(Application)
    /// The thread no longer drives; who answers ticket `ticket` will. A deadline is to be set.
    case wait(ticket: UInt64, deadline: Duration?)
    /// Deliver the news, then `begin`.
    case finish(Ending)
  }

  @usableFromInline
  struct Candidate: Sendable {
    @usableFromInline let record: Record
    @usableFromInline let latest: Value?

    @inlinable
    init(_ record: Record) {
      self.record = record
      latest = record.latest
    }
  }

  @usableFromInline
  struct Application: Sendable {
    @usableFromInline let apply:
      @Sendable (Value, @escaping @Sendable (ApplicationResult) -> Void) -> Void
    @usableFromInline let value: Value
    @usableFromInline let ticket: UInt64
    @usableFromInline let timeout: Duration?

    @inlinable
    init(
      apply: @escaping @Sendable (Value, @escaping @Sendable (ApplicationResult) -> Void) -> Void,
      value: Value, ticket: UInt64, timeout: Duration?
    ) {
      self.apply = apply
      self.value = value
      self.ticket = ticket
      self.timeout = timeout
    }
  }

  /// How a sequence ended.
  @usableFromInline
  struct Ending: Sendable {
    @usableFromInline let sequence: ApplicationSequence<Value>
    @usableFromInline let result: Result<Value, ParameterError>
    @usableFromInline let value: Value
    /// Whether `value` becomes the parameter's value and is news.
    @usableFromInline let changesValue: Bool
    /// Only to be released outside the lock.
    @usableFromInline let displaced: Outcome

    @inlinable
    init(
      sequence: ApplicationSequence<Value>, result: Result<Value, ParameterError>, value: Value,
      changesValue: Bool, displaced: Outcome
    ) {
      self.sequence = sequence
      self.result = result
      self.value = value
      self.changesValue = changesValue
      self.displaced = displaced
    }
  }

  /// What an answer leaves to be done.
  @usableFromInline
  struct Reaction: Sendable {
    @usableFromInline var timer: ObservationToken?
    @usableFromInline var drives = false
    /// Only to be released outside the lock.
    @usableFromInline var displaced: Value?

    @inlinable
    init() {}
  }

  /// The driving thread takes the next request.
  @inlinable
  mutating func begin() -> Step {
    guard let request = queue.popFirst() else {
      isDriven = false
      return .idle(isOver: isOver)
    }
    sequence = ApplicationSequence(request)
    var candidates: ContiguousArray<Candidate> = []
    if !applicators.isEmpty {
      candidates.reserveCapacity(applicators.count)
      for case .some(let record) in applicators.places where record.handlers.apply != nil {
        candidates.append(Candidate(record))
      }
    }
    return .compare(request, candidates)
  }

  /// The driving thread found out what the value is and who is out of date.
  @inlinable
  mutating func compared(
    _ value: Value, outOfDate: ContiguousArray<Record>, changesValue: Bool
  ) -> Step {
    guard sequence != nil else { return begin() }
    sequence?.value = value
    sequence?.turns = outOfDate
    sequence?.changesValue = changesValue
    return nextVerification(value)
  }

  /// An applicator answered `canApply`.
  @inlinable
  mutating func verified(_ canApply: Bool) -> Step {
    guard let value = sequence?.value else { return begin() }
    return canApply ? nextVerification(value) : end(value, .cannotApply)
  }

  /// An applicator's `apply` handler has returned, answered or not.
  @inlinable
  mutating func applyReturned(ticket: UInt64, deadline: Duration?) -> Step {
    guard let awaited = sequence?.awaited, awaited.ticket == ticket else { return begin() }
    guard awaited.answer == nil else { return resume() }
    isDriven = false
    return .wait(ticket: ticket, deadline: deadline)
  }

  /// The thread that brought the answer drives on.
  @inlinable
  mutating func resume() -> Step {
    guard let value = sequence?.value, let answer = sequence?.awaited?.answer else {
      return begin()
    }
    sequence?.awaited = nil
    if let error = answer.error { return end(value, error) }
    return nextApplication(value)
  }

  /// An applicator has answered, in time or not, or its time is up, or it is gone.
  @inlinable
  mutating func answered(
    ticket: UInt64, _ answer: ApplicationSequence<Value>.Answer
  ) -> Reaction {
    var reaction = Reaction()
    guard let awaited = sequence?.awaited, awaited.ticket == ticket, awaited.answer == nil else {
      return reaction
    }
    sequence?.awaited?.answer = answer
    reaction.timer = awaited.timer
    switch answer {
    case .success:
      reaction.displaced = awaited.record.latest
      awaited.record.latest = sequence?.value
    case .timedOut, .abandoned:
      reaction.displaced = awaited.record.latest
      awaited.record.latest = nil
    case .failure, .gone:
      break
    }
    if !isDriven {
      isDriven = true
      reaction.drives = true
    }
    return reaction
  }

  /// The time-out was set: returns the token if it is needed no more.
  @usableFromInline
  mutating func keep(_ timer: ObservationToken, forTicket ticket: UInt64) -> ObservationToken? {
    guard let awaited = sequence?.awaited, awaited.ticket == ticket, awaited.answer == nil else {
      return timer
    }
    sequence?.awaited?.timer = timer
    return nil
  }

  @inlinable
  mutating func nextVerification(_ value: Value) -> Step {
    if let (_, verify) = sequence?.nextTurn(\.verify) { return .verify(verify, value) }
    sequence?.next = 0
    return nextApplication(value)
  }

  @inlinable
  mutating func nextApplication(_ value: Value) -> Step {
    guard let (record, apply) = sequence?.nextTurn(\.apply) else { return end(value, nil) }
    lastTicket += 1
    sequence?.awaited = .init(ticket: lastTicket, record: record)
    return .apply(
      Application(
        apply: apply, value: value, ticket: lastTicket, timeout: record.handlers.timeout))
  }

  @inlinable
  mutating func end(_ value: Value, _ error: ParameterError?) -> Step {
    guard let ended = sequence.take() else { return begin() }
    return .finish(
      Ending(
        sequence: ended,
        result: error.map { .failure($0) } ?? .success(value),
        value: value,
        changesValue: error == nil && ended.changesValue,
        displaced: conclude(error.map { .failed(value, $0) } ?? .applied)))
  }
}
