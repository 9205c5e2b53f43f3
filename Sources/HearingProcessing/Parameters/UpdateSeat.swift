/// One parameter as part of an update of several, without the type of its values.
///
/// The closures are made where the type is known, so that they are specialised. It is a class because
/// copying so many closures would cost more than calling them.
final class UpdateSeat: Sendable {
  /// Delivers what was stored, outside all locks.
  typealias Delivery = (@Sendable () -> Void)?

  /// Takes a place in the queue without asking for a value.
  let hold: @Sendable (JointUpdate, _ isNext: Bool) -> Void
  /// The update that the parameter waits for.
  let blockingUpdate: @Sendable () -> JointUpdate?
  /// Starts the update if it is first in the queue and `others`, which runs under the parameter's
  /// lock, returns true.
  let start: @Sendable (JointUpdate, _ others: () -> Bool) -> Bool
  /// Drives the part to its next pause and returns its update; nil if an answer is awaited. If
  /// the parameter was closed, returns another update that this thread must drive, if any.
  let resume: @Sendable (JointUpdate) -> JointUpdate?
  let error: @Sendable (JointUpdate) -> ParameterError?
  /// Finishes the part if the parameter is held for the update and `others`, which runs under the
  /// parameter's lock, returns true. Returns whether the part was finished.
  let finish:
    @Sendable (
      JointUpdate, _ seat: Int, inout JointUpdate.Ending,
      _ others: (inout JointUpdate.Ending) -> Bool
    ) -> Bool
  let withdraw: @Sendable (JointUpdate, ParameterError) -> (drives: Bool, deliver: Delivery)
  /// Continues with the queue; returns an update that this thread must drive.
  let goOn: @Sendable (_ driven: inout Int) -> JointUpdate?
  /// Sets the line that every request joins; nil: requests do not join one.
  let setLine: @Sendable (LineReference?) -> Void

  @inline(__always)
  init<Value>(_ sequencer: ParameterSequencer<Value>) {
    let unused = ResultPublisher<Value, ParameterError>()
    hold = { update, isNext in
      var request = ParameterRequest<Value>(.place, result: unused)
      request.update = update
      _ = sequencer.join(request, isNext: isNext)
    }
    blockingUpdate = { sequencer.machine.withLock { $0.blockingUpdate } }
    start = { update, others in
      sequencer.machine.withLock { machine in
        guard machine.blockingUpdate === update, others() else { return false }
        machine.start(update, standing: machine.value)
        return true
      }
    }
    resume = { sequencer.resume($0) }
    error = { update in sequencer.machine.withLock { $0.error(of: update) } }
    finish = { sequencer.finish($0, $1, &$2, $3) }
    withdraw = { sequencer.withdraw($0, $1) }
    goOn = { sequencer.goOn(&$0) }
    setLine = { line in sequencer.machine.withLock { $0.line = line } }
  }
}

extension ParameterSequencer {
  /// Under the line's lock: puts a request of an update into the queue.
  ///
  /// - Returns: What remains to be done outside the lock.
  func join(_ request: Request, isNext: Bool) -> Machine.Effects {
    machine.withLock { $0.join(request, isNext: isNext) }
  }

  fileprivate func resume(_ update: JointUpdate) -> JointUpdate? {
    var sequence: Machine.Sequence?
    var action = Machine.Action.rest
    deliver(
      change { machine in
        (action, sequence) = machine.resume(update)
      })
    if case .compare = action, let sequence, let trace, trace.isOn {
      trace.note(.sequenceBegan, sequence.target)
    }
    var driven = 0
    return drive(action, sequence, &driven)
  }

  @inline(__always)
  fileprivate func finish(
    _ update: JointUpdate, _ seat: Int, _ ending: inout JointUpdate.Ending,
    _ others: (inout JointUpdate.Ending) -> Bool
  ) -> Bool {
    var publication: CurrentValueSource<Value>.Publication?
    var state: StateChange?
    var part = Machine.EndedPart()
    let isFinished = machine.withLock { machine in
      guard machine.isHeld(for: update), others(&ending) else { return false }
      part = machine.finish(update, ending.error)
      if let value = part.value { publication = values.enqueue(value) }
      state = storeUpdate(&machine, isEnding: part.hasEnded)
      return true
    }
    if publication != nil { ending.changed.insert(seat) }
    // A session's values are of this module's own types: releasing one runs no user code.
    let isToBeTold = publication?.subscribers != nil || state != nil || trace?.isOn == true
    if isToBeTold || part.displaced?.isFailure == true {
      ending.deliveries.append(delivery(of: publication, state, part))
    } else if let sequence = part.sequence {
      ending.release(sequence)
    }
    return isFinished
  }

  private func delivery(
    of publication: CurrentValueSource<Value>.Publication?, _ state: StateChange?,
    _ part: Machine.EndedPart
  ) -> @Sendable () -> Void {
    { [self] in
      if let publication { values.deliver(publication) }
      deliver(state)
      if let sequence = part.sequence, let trace, trace.isOn { traceEnd(of: sequence) }
      withExtendedLifetime(part) {}
    }
  }

  fileprivate func withdraw(
    _ update: JointUpdate, _ error: ParameterError
  ) -> (drives: Bool, deliver: UpdateSeat.Delivery) {
    var state: StateChange?
    let (drives, released, part) = machine.withLock { machine in
      let withdrawal = machine.withdraw(update, error)
      state = storeUpdate(&machine, isEnding: withdrawal.part.hasEnded)
      return withdrawal
    }
    if released.isEmpty, !part.hasEnded, state == nil { return (drives, nil) }
    return (
      drives,
      { [self, state] in
        deliver(state)
        withExtendedLifetime((released, part)) {}
      }
    )
  }

  fileprivate func goOn(_ driven: inout Int) -> JointUpdate? {
    if machine.withLock({ $0.restsAfterUpdate() }) { return nil }
    return drive(takeNext(), nil, &driven)
  }

  // MARK: One request of a parameter whose requests join the line

  /// Runs an event whose requests join the line, all in one step.
  ///
  /// - Returns: A closure that carries out the effects of the event; call it outside all locks.
  @usableFromInline
  func joining(
    _ reference: LineReference, _ event: (inout Machine) -> Machine.Effects
  ) -> @Sendable () -> Void {
    guard let line = reference.line else {
      // The session is gone, and with it all applicators of the whole session.
      machine.withLock { $0.line = nil }
      return publishing(event)
    }
    var effects = Machine.Effects()
    var stateChange: StateChange?
    var started: [JointUpdate] = []
    line.lock.withLock { _ in
      stateChange = change { effects = event(&$0) }
      for case .join(let request, let isNext) in effects.rest {
        if let update = join(request, isNext: isNext, line, reference.seat) {
          started.append(update)
        }
      }
    }
    return { [self, effects, stateChange, started] in
      deliver(stateChange)
      perform(effects)
      for update in started { JointUpdate.run(update) }
    }
  }

  private func join(
    _ request: Request, isNext: Bool, _ line: UpdateLine, _ seat: Int
  ) -> JointUpdate? {
    let all = SeatSet(first: line.seats.count)
    var request = request
    request.isCounted = true
    let alone = request
    let update = JointUpdate(
      line, seats: all, parts: SeatOrder(SeatSet([seat, line.seats.count - 1])),
      isOfOneParameter: true, continuesAfterFailure: request.isReset
    ) { [self] _, error in
      let result = error.map { .failure($0) } ?? Result.success(alone.value ?? values.value)
      alone.result.settle(result)
    }
    request.update = update
    _ = join(request, isNext: isNext)
    for other in all where other != seat { line.seats[other].hold(update, isNext) }
    return line.start(update)
  }
}
