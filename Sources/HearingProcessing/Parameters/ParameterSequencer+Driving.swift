extension ParameterSequencer {
  /// Runs sequences on this thread until none is left or an answer has to be waited for.
  @inlinable
  func drive() {
    var isOver = false
    while let beginning = begin(&isOver) {
      let value = compare(beginning)
      guard verify(value) else {
        end(.cannotApply)
        continue
      }
      guard applyInTurn() else { return }
    }
    if isOver { finishPublishers() }
  }

  /// - Parameter isOver: Set if nothing is left to do, now and for ever.
  @inlinable
  func begin(_ isOver: inout Bool) -> Machine.Beginning? {
    machine.withLock { machine in
      let beginning = machine.begin()
      isOver = beginning == nil && machine.isOver
      return beginning
    }
  }

  /// Goes on after an answer that somebody waited for.
  @inlinable
  func resume(ticket: UInt64) {
    if goOn(after: ticket, deadline: nil) ?? applyInTurn() { drive() }
  }

  /// Finds out what the value is and which applicators are not at it; `==` is the user's.
  ///
  /// - Returns: The value.
  @inlinable
  func compare(_ beginning: Machine.Beginning) -> Value {
    let standing = values.value
    let target: Value
    switch beginning.request.target {
    case .value(let value):
      target = value
    case .current:
      target = standing
    case .imposed(let value, let replacing):
      replacing(standing)
      target = value
    }
    var outOfDate: ContiguousArray<Machine.Record> = []
    for case .some(let record) in beginning.applicators {
      guard let known = machine.withLock({ $0.knowledge(of: record) }) else { continue }
      if known.latest.map({ $0 != target }) ?? true { outOfDate.append(record) }
    }
    let changesValue = standing != target
    tell(
      change { $0.compared(target, outOfDate: outOfDate, changesValue: changesValue) })
    return target
  }

  /// Asks every out-of-date applicator whether it can apply the value.
  @inlinable
  func verify(_ value: Value) -> Bool {
    while let verify = machine.withLock({ $0.nextVerification() }) {
      if !verify.call(value) { return false }
    }
    return true
  }

  /// Lets the out-of-date applicators apply, one after the other, and ends the sequence.
  ///
  /// - Returns: False if an answer has to be waited for.
  @inlinable
  func applyInTurn() -> Bool {
    while let turn = machine.withLock({ $0.nextTurn() }) {
      let deadline = turn.timeout.map { scheduler.now + $0 }
      call(turn)
      if let goesOn = goOn(after: turn.ticket, deadline: deadline) { return goesOn }
    }
    end(nil)
    return true
  }

  /// Looks at what came of a call.
  ///
  /// - Returns: Nil if the next applicator's turn has come; true if the sequence has ended; false
  ///   if the answer has to be waited for.
  @inlinable
  func goOn(after ticket: UInt64, deadline: Duration?) -> Bool? {
    switch machine.withLock({ $0.applyReturned(ticket: ticket) }) {
    case .done:
      return nil
    case .failed(let error):
      end(error)
      return true
    case .waiting:
      if let deadline { setTimeout(at: deadline, ticket: ticket) }
      return false
    }
  }

  /// Asks an applicator to apply. The handler object is gone from here when this returns, so that
  /// one which was dropped has said so.
  @inlinable
  func call(_ turn: Machine.Turn) {
    let handler = ResultHandler(sequencer: self, ticket: turn.ticket)
    turn.apply.call(turn.value) { handler.answer($0) }
  }

  /// Ends the sequence: the value is stored, then told, then the state, then the result.
  @inlinable
  func end(_ error: ParameterError?) {
    var ending: Machine.Ending?
    var news: CurrentValueSource<Value>.Publication?
    var update: CurrentValueSource<UpdateState<Value>>.Publication?
    machine.withLock { machine in
      ending = machine.end(error)
      if let sequence = ending?.sequence, error == nil, sequence.changesValue,
        let value = sequence.value
      {
        news = values.enqueue(value)
      }
      if let state = machine.takeUpdate(isEnding: ending != nil, standing: { values.value }) {
        update = updates.enqueue(state)
      }
    }
    if let news { values.deliver(news) }
    if let update { updates.deliver(update) }
    guard let sequence = ending?.sequence, let value = sequence.value else { return }
    sequence.request.result.settle(error.map { .failure($0) } ?? .success(value))
  }

  /// An applicator has answered, its time is up, or it dropped its handler.
  @inlinable
  func answered(ticket: UInt64, _ answer: ApplicationSequence<Value>.Answer) {
    react(to: machine.withLock { $0.answered(ticket: ticket, answer) })
  }

  @inlinable
  func react(to reaction: Machine.Reaction) {
    reaction.timer?.cancel()
    if let ticket = reaction.resumes { resume(ticket: ticket) }
  }

  @usableFromInline
  func setTimeout(at deadline: Duration, ticket: UInt64) {
    let token = scheduler.schedule(at: deadline) { [self] in
      answered(ticket: ticket, .timedOut)
    }
    let stale = machine.withLock { $0.keep(token, forTicket: ticket) }
    stale?.cancel()
  }
}
