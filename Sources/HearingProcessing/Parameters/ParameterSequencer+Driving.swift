extension ParameterSequencer {
  /// Performs actions on this thread until none is left or an answer is pending.
  ///
  /// This thread drives the first sequence and up to 32 others; then a library thread continues.
  ///
  /// - Parameter current: The sequence that `first` belongs to, if any.
  @inlinable
  func drive(_ first: Machine.Action, _ current: Machine.Sequence? = nil) {
    var driven = 0
    if let update = drive(first, current, &driven) { JointUpdate.run(update) }
  }

  /// The same as `drive(_:_:)`; counts the sequences that this thread has driven.
  ///
  /// - Returns: An update of several parameters that this thread is to drive next.
  @inlinable
  func drive(
    _ first: Machine.Action, _ current: Machine.Sequence?, _ driven: inout Int
  ) -> JointUpdate? {
    var action = first
    var sequence = current
    while true {
      if case .begin(let new) = action {
        if driven > Self.maximumFurtherSequences {
          driveElsewhere(action)
          return nil
        }
        driven += 1
        sequence = new
        if let trace, trace.isOn { trace.note(.sequenceBegan, new.target) }
        action = compare(new)
        continue
      }
      guard let sequence, !action.isLast else {
        return end(action, sequence)
      }
      action = perform(action, of: sequence)
    }
  }

  /// Performs the actions of one sequence; returns the first one that is not part of it.
  ///
  /// It is separate from `drive` so that the sequence is not retained for each action.
  @inlinable
  func perform(_ first: Machine.Action, of sequence: Machine.Sequence) -> Machine.Action {
    var action = first
    while true {
      switch action {
      case .compare: action = compare(sequence)
      case .verify:
        let canApply = sequence.verify.take()?.call(sequence.target) ?? true
        action = advance(sequence) { $0.verified($1, canApply) }
      case .call: action = call(sequence)
      case .fail: action = describeFailure(sequence)
      case .rest, .finish, .pause, .offer, .begin: return action
      case .conclude:
        preconditionFailure("unexpected action conclude for \(sequence.target)")
      }
    }
  }

  /// Ends driving on this thread.
  ///
  /// - Returns: An update of several parameters that this thread is to drive next.
  @usableFromInline
  func end(_ action: Machine.Action, _ sequence: Machine.Sequence?) -> JointUpdate? {
    switch action {
    case .pause: return sequence?.request.update
    case .offer:
      guard let update = machine.withLock({ $0.blockingUpdate }) else { return nil }
      return update.line.offer(update)
    case .finish: finishPublishers()
    case .rest, .begin, .compare, .verify, .call, .fail, .conclude: break
    }
    return nil
  }

  /// How many sequences a call drives in addition to its own.
  @usableFromInline static var maximumFurtherSequences: Int { 32 }

  @usableFromInline
  func driveElsewhere(_ action: Machine.Action) {
    LibraryThread.run { [self] in drive(action) }
  }

  /// Compares the target with an applicator's value and, in the first comparison of a sequence,
  /// with the parameter's value. `==` is user code.
  @inlinable
  func compare(_ sequence: Machine.Sequence) -> Machine.Action {
    if sequence.isFirst, case .imposed(_, let replacing) = sequence.request.target {
      replacing(sequence.standing)
    }
    let changesValue = sequence.isFirst && sequence.standing != sequence.target
    let isMissing = !sequence.continuesAfterFailure || sequence.isUnknown
    let isOutOfDate = sequence.latest.take().map { sequence.concerns($0) } ?? isMissing
    return advance(sequence) {
      $0.compared($1, changesValue: changesValue, isOutOfDate: isOutOfDate)
    }
  }

  /// Calls an applicator's `apply` handler and sets its time-out.
  @inlinable
  func call(_ sequence: Machine.Sequence) -> Machine.Action {
    let ticket = sequence.ticket
    let deadline = sequence.timeout.map { scheduler.now + $0 }
    callHandler(sequence)
    var displaced: Value?
    var isOpen = false
    let action = advance(sequence) { machine, sequence in
      let action = machine.returned(sequence, ticket: ticket, displaced: &displaced)
      isOpen = sequence.awaits(ticket)
      return action
    }
    if isOpen, let deadline { setTimeout(at: deadline, ticket: ticket) }
    return action
  }

  /// Creates the error of a failure; describing the value runs user code.
  @usableFromInline
  func describeFailure(_ sequence: Machine.Sequence) -> Machine.Action {
    let failing = sequence.failing.take()
    let attempt = Attempt(applicator: failing?.name, describing: sequence.target)
    let error = failing?.answer?.error(attempt) ?? .cannotApply(attempt)
    return advance(sequence) { $0.failed($1, error) }
  }

  /// Calls an `apply` handler. This releases its own reference to the result handler before it
  /// returns, so that a handler that the user has dropped answers `abandoned` by then.
  @inlinable
  func callHandler(_ sequence: Machine.Sequence) {
    if let trace, trace.isOn { return callHandler(sequence, trace) }
    sequence.apply.take()?.call(
      sequence.target, ResultHandler(sequencer: self, ticket: sequence.ticket).answer)
  }

  /// Runs an event of the driving thread and publishes the outcome of a sequence: stores the value,
  /// then delivers it, then the update state, then the result.
  ///
  /// If none of them has a subscriber, the next action is taken under the same lock.
  ///
  /// - Parameter event: Receives the sequence: capturing it would retain it.
  @inlinable
  func advance(
    _ sequence: Machine.Sequence, _ event: (inout Machine, Machine.Sequence) -> Machine.Action
  ) -> Machine.Action {
    var action = Machine.Action.rest
    var publication: CurrentValueSource<Value>.Publication?
    var update: StateChange?
    var follow: (@Sendable () -> Void)?
    machine.withLock { machine in
      action = event(&machine, sequence)
      guard case .conclude = action else {
        update = storeUpdate(&machine)
        return
      }
      if sequence.storesValue {
        publication = values.enqueue(sequence.target)
        if let follower = machine.follower { follow = follower.store(sequence.target) }
      }
      update = storeUpdate(&machine, isEnding: true)
      if publication?.subscribers == nil, update == nil, follow == nil, trace?.isOn != true,
        sequence.request.result.settleUnwatched(sequence.result)
      {
        action = machine.next()
      }
    }
    if let publication { values.deliver(publication) }
    deliver(update)
    follow?()
    guard case .conclude = action else { return action }
    sequence.request.result.settle(sequence.result)
    if let trace, trace.isOn { traceEnd(of: sequence) }
    return takeNext()
  }

  /// Takes the next request, after a sequence has ended.
  @inlinable
  func takeNext() -> Machine.Action {
    var action = Machine.Action.rest
    deliver(change { action = $0.next() })
    return action
  }

  @usableFromInline
  func callHandler(_ sequence: Machine.Sequence, _ trace: ParameterTrace) {
    guard let apply = sequence.apply.take() else { return }
    let handler = ResultHandler(sequencer: self, ticket: sequence.ticket)
    let begin = scheduler.now
    let (name, value) = (sequence.current?.name, sequence.target)
    apply.call(value) { [scheduler] result in
      var failure: (any Error)?
      if case .failure(let error) = result { failure = error }
      trace.note(
        .applicatorAnswered, value, applicator: name, duration: scheduler.now - begin,
        failure: failure)
      handler.answer(result)
    }
  }

  @usableFromInline
  func traceEnd(of sequence: Machine.Sequence) {
    trace?.note(.sequenceEnded, sequence.target, failure: sequence.error)
  }

  /// Handles an applicator's answer, its time-out, or the release of its result handler.
  @usableFromInline
  func answered(ticket: UInt64, _ answer: Machine.Sequence.Answer) {
    react { $0.answered(ticket: ticket, answer) }
  }

  func react(_ event: (inout Machine) -> Machine.Reaction) {
    var reaction = Machine.Reaction()
    var stateChange: StateChange?
    machine.withLock { machine in
      reaction = event(&machine)
      // `advance` stores and publishes the outcome of a sequence; until then this thread drives.
      if case .conclude = reaction.action { return }
      stateChange = storeUpdate(&machine)
    }
    deliver(stateChange)
    reaction.timer?.cancel()
    reaction.cancelCall?()
    guard let sequence = reaction.sequence else { return }
    if case .conclude = reaction.action {
      drive(advance(sequence) { _, _ in .conclude }, sequence)
    } else {
      drive(reaction.action, sequence)
    }
  }

  @usableFromInline
  func setTimeout(at deadline: Duration, ticket: UInt64) {
    let token = scheduler.schedule(at: deadline) { [self] in
      let isAwaited = machine.withLock { $0.awaits(ticket) }
      if isAwaited, let trace, trace.isOn { trace.note(.timedOut) }
      answered(ticket: ticket, .timedOut)
    }
    let stale = machine.withLock { $0.keep(token, forTicket: ticket) }
    stale?.cancel()
  }
}
