extension ParameterSequencer {
  /// A step, and the news that were stored with it.
  @usableFromInline
  struct Move: Sendable {
    @usableFromInline let step: Machine.Step
    @usableFromInline let value: CurrentValueSource<Value>.Publication?
    @usableFromInline let update: CurrentValueSource<UpdateState<Value>>.Publication?

    @inlinable
    init(
      step: Machine.Step, value: CurrentValueSource<Value>.Publication?,
      update: CurrentValueSource<UpdateState<Value>>.Publication?
    ) {
      self.step = step
      self.value = value
      self.update = update
    }
  }

  /// Runs sequences on this thread until none is left or an answer has to be waited for.
  @inlinable
  func drive(_ first: (inout Machine) -> Machine.Step) {
    var move = advance(first)
    while true {
      if let value = move.value { values.deliver(value) }
      if let update = move.update { updates.deliver(update) }
      switch move.step {
      case .idle(let isOver):
        if isOver { finishPublishers() }
        return
      case .wait(let ticket, let deadline):
        if let deadline { setTimeout(at: deadline, ticket: ticket) }
        return
      case .compare(let request, let candidates):
        move = compare(request, candidates)
      case .verify(let verify, let value):
        let canApply = verify(value)
        move = advance { $0.verified(canApply) }
      case .apply(let application):
        let deadline = application.timeout.map { scheduler.now + $0 }
        call(application)
        move = advance { $0.applyReturned(ticket: application.ticket, deadline: deadline) }
      case .finish(let ending):
        ending.sequence.request.result.settle(ending.result)
        move = advance { $0.begin() }
      }
    }
  }

  /// Runs an event of the driving thread, and stores what it makes true.
  @inlinable
  func advance(_ event: (inout Machine) -> Machine.Step) -> Move {
    machine.withLock { machine in
      let step = event(&machine)
      var isEnding = false
      var value: CurrentValueSource<Value>.Publication?
      if case .finish(let ending) = step {
        isEnding = true
        if ending.changesValue { value = values.enqueue(ending.value) }
      }
      let update = machine.takeUpdate(isEnding: isEnding, standing: { values.value })
      return Move(step: step, value: value, update: update.map { updates.enqueue($0) })
    }
  }

  /// Finds the applicators that are not at the request's value; `==` is the user's.
  @inlinable
  func compare(_ request: Request, _ candidates: ContiguousArray<Machine.Candidate>) -> Move {
    let standing = values.value
    let target: Value
    switch request.target {
    case .value(let value):
      target = value
    case .current:
      target = standing
    case .imposed(let value, let replacing):
      replacing(standing)
      target = value
    }
    var outOfDate: ContiguousArray<Machine.Record> = []
    for candidate in candidates where candidate.latest.map({ $0 != target }) ?? true {
      outOfDate.append(candidate.record)
    }
    let changesValue = standing != target
    return advance {
      $0.compared(target, outOfDate: outOfDate, changesValue: changesValue)
    }
  }

  /// Asks an applicator to apply. The handler object is gone from here when this returns, so that
  /// one which was dropped has said so.
  @inlinable
  func call(_ application: Machine.Application) {
    let handler = ResultHandler(sequencer: self, ticket: application.ticket)
    application.apply(application.value) { handler.answer($0) }
  }

  /// An applicator has answered, its time is up, or it dropped its handler.
  @inlinable
  func answered(ticket: UInt64, _ answer: ApplicationSequence<Value>.Answer) {
    perform(machine.withLock { $0.answered(ticket: ticket, answer) })
  }

  @inlinable
  func perform(_ reaction: Machine.Reaction) {
    reaction.timer?.cancel()
    if reaction.drives { drive { $0.resume() } }
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
