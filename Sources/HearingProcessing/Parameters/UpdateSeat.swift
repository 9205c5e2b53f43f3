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
  /// Starts the update if it is first in the queue and `others` says so, under the parameter's lock.
  let start: @Sendable (JointUpdate, _ others: () -> Bool) -> Bool
  /// Drives the part to its next pause and returns its update; nil if an answer is awaited. After
  /// the end of the session's parameter: another update that this thread must drive, if any.
  let resume: @Sendable (JointUpdate) -> JointUpdate?
  let error: @Sendable (JointUpdate) -> ParameterError?
  /// Whether the parameter is held for the update.
  let isHeld: @Sendable (JointUpdate) -> Bool
  let finish: @Sendable (JointUpdate, ParameterError?) -> (changesValue: Bool, deliver: Delivery)
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
    isHeld = { update in sequencer.machine.withLock { $0.isHeld(for: update) } }
    finish = { sequencer.finish($0, $1) }
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

  fileprivate func finish(
    _ update: JointUpdate, _ error: ParameterError?
  ) -> (changesValue: Bool, deliver: UpdateSeat.Delivery) {
    var publication: CurrentValueSource<Value>.Publication?
    var state: StateChange?
    var displaced: Machine.Sequence?
    machine.withLock { machine in
      let (value, sequence) = machine.finish(update, error)
      displaced = sequence
      if let value { publication = values.enqueue(value) }
      state = storeUpdate(&machine, isEnding: sequence != nil)
    }
    guard publication != nil || state != nil || displaced != nil else { return (false, nil) }
    return (
      publication != nil,
      { [self, publication, state, displaced] in
        if let publication { values.deliver(publication) }
        deliver(state)
        if let displaced, let trace, trace.isOn { traceEnd(of: displaced) }
      }
    )
  }

  fileprivate func withdraw(
    _ update: JointUpdate, _ error: ParameterError
  ) -> (drives: Bool, deliver: UpdateSeat.Delivery) {
    var state: StateChange?
    let (drives, released, sequence) = machine.withLock { machine in
      let withdrawal = machine.withdraw(update, error)
      state = storeUpdate(&machine, isEnding: withdrawal.sequence != nil)
      return withdrawal
    }
    if released.isEmpty, sequence == nil, state == nil { return (drives, nil) }
    return (
      drives,
      { [self, state] in
        deliver(state)
        withExtendedLifetime((released, sequence)) {}
      }
    )
  }

  fileprivate func goOn(_ driven: inout Int) -> JointUpdate? {
    drive(advance(nil) { $0.next() }, nil, &driven)
  }

  // MARK: One request of a parameter whose requests join the line

  /// Runs an event whose requests join the line, all in one step.
  ///
  /// - Returns: Carries out what follows from it; call it outside all locks.
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
    let all = Array(line.seats.indices)
    var request = request
    request.isCounted = true
    let alone = request
    let update = JointUpdate(
      line, seats: all, parts: [seat, line.seats.count - 1], isOfOneParameter: true,
      continuesAfterFailure: request.isReset
    ) { [self] error in
      let result = error.map { .failure($0) } ?? Result.success(alone.value ?? values.value)
      alone.result.settle(result)
    }
    request.update = update
    _ = join(request, isNext: isNext)
    for other in all where other != seat { line.seats[other].hold(update, isNext) }
    return line.start(update)
  }
}
