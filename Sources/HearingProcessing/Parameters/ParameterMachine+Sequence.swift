// The events of the thread that drives: it takes a request, finds out who is out of date, asks
// everybody, lets each apply, and ends the sequence. Once the session is over there is no sequence;
// every event then says so, and the thread goes on with `begin`, which sends it home.

extension ParameterMachine {
  /// A sequence that begins.
  @usableFromInline
  struct Beginning: Sendable {
    @usableFromInline let request: Request
    /// The applicators there are, in order of registration.
    @usableFromInline let applicators: ContiguousArray<Record?>

    @inlinable
    init(request: Request, applicators: ContiguousArray<Record?>) {
      self.request = request
      self.applicators = applicators
    }
  }

  /// The thread takes the next request; nil: there is none, and it no longer drives.
  @inlinable
  mutating func begin() -> Beginning? {
    guard let request = queue.popFirst() else {
      isDriven = false
      return nil
    }
    sequence = ApplicationSequence(request)
    return Beginning(request: request, applicators: applicators.places)
  }

  /// What is known of an applicator that can take part in a sequence.
  @usableFromInline
  struct Knowledge: Sendable {
    @usableFromInline let latest: Value?

    @inlinable
    init(latest: Value?) {
      self.latest = latest
    }
  }

  /// What is known of `record`; nil: it has left, or is still being set up.
  @inlinable
  func knowledge(of record: Record) -> Knowledge? {
    guard record.isRegistered, record.handlers.apply != nil else { return nil }
    return Knowledge(latest: record.latest)
  }

  /// The thread found out what the value is, who is out of date, and whether the value is news.
  @inlinable
  mutating func compared(
    _ value: Value, outOfDate: ContiguousArray<Record>, changesValue: Bool
  ) {
    guard sequence != nil else { return }
    sequence?.value = value
    sequence?.turns = outOfDate
    sequence?.changesValue = changesValue
  }

  /// The next `canApply` to be asked; nil: all have been asked.
  @inlinable
  mutating func nextVerification() -> Record.Verify? {
    if let verify = sequence?.nextVerification() { return verify }
    sequence?.next = 0
    return nil
  }

  /// One applicator's turn.
  @usableFromInline
  struct Turn: Sendable {
    @usableFromInline let apply: Record.Apply
    @usableFromInline let value: Value
    @usableFromInline let ticket: UInt64
    @usableFromInline let timeout: Duration?

    @inlinable
    init(apply: Record.Apply, value: Value, ticket: UInt64, timeout: Duration?) {
      self.apply = apply
      self.value = value
      self.ticket = ticket
      self.timeout = timeout
    }
  }

  /// The next `apply` to be called; nil: all have applied.
  @inlinable
  mutating func nextTurn() -> Turn? {
    guard let value = sequence?.value, let record = sequence?.nextApplicator(),
      let apply = record.handlers.apply
    else { return nil }
    lastTicket += 1
    sequence?.awaited = .init(ticket: lastTicket, record: record)
    return Turn(apply: apply, value: value, ticket: lastTicket, timeout: record.handlers.timeout)
  }

  /// How things stand with an applicator that was called.
  @usableFromInline
  enum Standing: Sendable {
    /// It has answered, or has left: the next one's turn.
    case done
    /// The sequence has failed.
    case failed(ParameterError)
    /// Its answer is to come: the thread no longer drives, who brings the answer will.
    case waiting
  }

  /// An `apply` handler has returned, answered or not.
  @inlinable
  mutating func applyReturned(ticket: UInt64) -> Standing {
    guard let awaited = sequence?.awaited, awaited.ticket == ticket else { return .done }
    guard let answer = awaited.answer else {
      isDriven = false
      return .waiting
    }
    sequence?.awaited = nil
    return answer.error.map { .failed($0) } ?? .done
  }

  /// All have applied, or something went wrong; nil: the session ended the sequence before.
  ///
  /// - Returns: What is to be told, and let go of, outside the lock.
  @inlinable
  mutating func end(_ error: ParameterError?) -> Ending? {
    guard let value = sequence?.value, let ended = sequence.take() else { return nil }
    return Ending(
      sequence: ended,
      displaced: conclude(error.map { .failed(value, $0) } ?? .applied))
  }

  @usableFromInline
  struct Ending: Sendable {
    @usableFromInline let sequence: ApplicationSequence<Value>
    /// How things stood before: only to be released.
    @usableFromInline let displaced: Outcome

    @inlinable
    init(sequence: ApplicationSequence<Value>, displaced: Outcome) {
      self.sequence = sequence
      self.displaced = displaced
    }
  }
}

// MARK: - Answers

extension ParameterMachine {
  /// What an answer leaves to be done.
  @usableFromInline
  struct Reaction: Sendable {
    @usableFromInline var timer: ObservationToken?
    /// The ticket with which the thread is to go on, if it drives from now on.
    @usableFromInline var resumes: UInt64?
    /// Only to be released outside the lock.
    @usableFromInline var displaced: Value?

    @inlinable
    init() {}
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
      reaction.resumes = ticket
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
}
