extension ParameterSequencer {
  /// Carries out actions on this thread until none is left or an answer has to be waited for.
  @inlinable
  func drive(_ first: Machine.Action) {
    var action = first
    while true {
      switch action {
      case .rest:
        return
      case .finish:
        return finishPublishers()
      case .compare(let comparison):
        action = compare(comparison)
      case .verify(let verify, let value):
        let canApply = verify.call(value)
        action = advance { $0.verified(canApply) }
      case .call(let turn):
        action = call(turn)
      case .conclude(let ending):
        preconditionFailure("a sequence for \(ending.sequence.target) is concluded twice")
      }
    }
  }

  /// Compares an applicator's value and, at first, the parameter's with the target; `==` is user
  /// code.
  @inlinable
  func compare(_ comparison: Machine.Comparison) -> Machine.Action {
    let sequence = comparison.sequence
    if comparison.isFirst, case .imposed(_, let replacing) = sequence.request.target {
      replacing(sequence.standing)
    }
    let changesValue = comparison.isFirst && sequence.standing != sequence.target
    let isOutOfDate = comparison.latest.map { $0 != sequence.target } ?? true
    return advance {
      $0.compared(comparison, changesValue: changesValue, isOutOfDate: isOutOfDate)
    }
  }

  /// Asks an applicator to apply.
  @inlinable
  func call(_ turn: Machine.Turn) -> Machine.Action {
    let deadline = turn.timeout.map { scheduler.now + $0 }
    callHandler(turn)
    var displaced: Value?
    var isOpen = false
    let action = advance { machine in
      let action = machine.returned(ticket: turn.ticket, displaced: &displaced)
      isOpen = machine.awaits(turn.ticket)
      return action
    }
    if isOpen, let deadline { setTimeout(at: deadline, ticket: turn.ticket) }
    return action
  }

  /// Calls an `apply` handler. The result handler is released here before this returns, so that one
  /// which was dropped has answered.
  @inlinable
  func callHandler(_ turn: Machine.Turn) {
    let handler = ResultHandler(sequencer: self, ticket: turn.ticket)
    turn.apply.call(turn.value) { handler.answer($0) }
  }

  /// Runs an event of the driving thread and publishes how a sequence ended: the value is stored,
  /// then delivered, then the update state, then the result.
  ///
  /// If nobody watches any of them, the next action is taken under the same lock.
  @inlinable
  func advance(_ event: (inout Machine) -> Machine.Action) -> Machine.Action {
    var action = Machine.Action.rest
    var ended: Machine.Ending?
    var news: CurrentValueSource<Value>.Publication?
    var update: News?
    machine.withLock { machine in
      action = event(&machine)
      guard case .conclude(let ending) = action else {
        update = storeUpdate(&machine)
        return
      }
      ended = ending
      if ending.storesValue { news = values.enqueue(ending.sequence.target) }
      update = storeUpdate(&machine, isEnding: true)
      if news?.subscribers == nil, update == nil,
        ending.sequence.request.result.settleUnwatched(ending.result)
      {
        action = machine.next()
      }
    }
    if let news { values.deliver(news) }
    deliver(update)
    guard let ended, case .conclude = action else { return action }
    ended.sequence.request.result.settle(ended.result)
    return advance { $0.next() }
  }

  /// An applicator has answered, its time is up, or it dropped its handler.
  @inlinable
  func answered(ticket: UInt64, _ answer: Machine.Sequence.Answer) {
    var reaction = Machine.Reaction()
    let action = advance { machine in
      reaction = machine.answered(ticket: ticket, answer)
      return reaction.action
    }
    reaction.timer?.cancel()
    drive(action)
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
