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
      case .compare(let sequence):
        action = compare(sequence)
      case .verify(let sequence):
        let canApply = sequence.verify.take()?.call(sequence.target) ?? true
        action = advance { $0.verified(canApply) }
      case .call(let sequence):
        action = call(sequence)
      case .conclude(let sequence):
        preconditionFailure("a sequence for \(sequence.target) is concluded twice")
      }
    }
  }

  /// Compares an applicator's value and, at first, the parameter's with the target; `==` is user
  /// code.
  @inlinable
  func compare(_ sequence: Machine.Sequence) -> Machine.Action {
    if sequence.isFirst, case .imposed(_, let replacing) = sequence.request.target {
      replacing(sequence.standing)
    }
    let changesValue = sequence.isFirst && sequence.standing != sequence.target
    let isOutOfDate = sequence.latest.take().map { $0 != sequence.target } ?? true
    return advance {
      $0.compared(sequence, changesValue: changesValue, isOutOfDate: isOutOfDate)
    }
  }

  /// Asks an applicator to apply.
  @inlinable
  func call(_ sequence: Machine.Sequence) -> Machine.Action {
    let ticket = sequence.ticket
    let deadline = sequence.timeout.map { scheduler.now + $0 }
    callHandler(sequence)
    var displaced: Value?
    var isOpen = false
    let action = advance { machine in
      let action = machine.returned(ticket: ticket, displaced: &displaced)
      isOpen = machine.awaits(ticket)
      return action
    }
    if isOpen, let deadline { setTimeout(at: deadline, ticket: ticket) }
    return action
  }

  /// Calls an `apply` handler. The result handler is released here before this returns, so that one
  /// which was dropped has answered.
  @inlinable
  func callHandler(_ sequence: Machine.Sequence) {
    guard let apply = sequence.apply.take() else { return }
    let handler = ResultHandler(sequencer: self, ticket: sequence.ticket)
    apply.call(sequence.target) { handler.answer($0) }
  }

  /// Runs an event of the driving thread and publishes how a sequence ended: the value is stored,
  /// then delivered, then the update state, then the result.
  ///
  /// If nobody watches any of them, the next action is taken under the same lock.
  @inlinable
  func advance(_ event: (inout Machine) -> Machine.Action) -> Machine.Action {
    var action = Machine.Action.rest
    var ended: Machine.Sequence?
    var news: CurrentValueSource<Value>.Publication?
    var update: News?
    machine.withLock { machine in
      action = event(&machine)
      guard case .conclude(let sequence) = action else {
        update = storeUpdate(&machine)
        return
      }
      ended = sequence
      if sequence.storesValue { news = values.enqueue(sequence.target) }
      update = storeUpdate(&machine, isEnding: true)
      if news?.subscribers == nil, update == nil,
        sequence.request.result.settleUnwatched(sequence.result)
      {
        action = machine.next()
      }
    }
    if let news { values.deliver(news) }
    deliver(update)
    guard let ended, case .conclude = action else { return action }
    ended.request.result.settle(ended.result)
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
