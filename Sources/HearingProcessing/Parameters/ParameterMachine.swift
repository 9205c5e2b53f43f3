/// A parameter as a state machine: requests arrive, queue, and become sequences.
///
/// Events are mutating methods that return the work to do; the `ParameterSequencer`, which owns the
/// lock, does that work outside the lock. No event calls user code, and every value or closure that
/// an event replaces is returned, so that it is released outside the lock too.
@usableFromInline
struct ParameterMachine<Value: Equatable & Sendable>: Sendable {
  @usableFromInline typealias Request = ParameterRequest<Value>
  @usableFromInline typealias Record = ApplicatorRecord<Value>
  @usableFromInline typealias Sequence = ApplicationSequence<Value>
  typealias Outcome = UpdateTracker<Value>.Outcome

  /// The parameter's value.
  @usableFromInline var value: Value
  @usableFromInline var phase = Phase.idle
  @usableFromInline var admission = Admission.open
  /// Whether the parameter was released; pending work still runs to its end.
  @usableFromInline var isReleased = false
  @usableFromInline var mode = DeliveryMode.continuous
  @usableFromInline var queue = FIFO<Request>()
  /// How many requests in the queue carry a value.
  @usableFromInline var queuedValues = 0
  @usableFromInline var debounce = Debounce<Value>()
  @usableFromInline var applicators = OrderedSlots<Record>()
  @usableFromInline var updates = UpdateTracker<Value>()
  @usableFromInline var lastTicket: UInt64 = 0
  @usableFromInline let call: CallProgress
  /// Counts accepted values; a load that sees another count at its end is out of date.
  @usableFromInline var generation: UInt64 = 0
  /// Counts accepted values that do not come from a recommendation.
  @usableFromInline var choices: UInt64 = 0
  /// The session's line, while every request must join it.
  @usableFromInline var line: LineReference?
  /// Copies each committed value into the session's values.
  @usableFromInline var follower: Follower<Value>?

  init(_ value: Value, call: CallProgress = CallProgress()) {
    self.value = value
    self.call = call
  }

  /// What the parameter does now. A thread drives `between` two sequences and while one is `running`
  /// and does not await an answer: it calls handlers, compares values or publishes, and then asks for
  /// the next action.
  @usableFromInline
  enum Phase: Sendable {
    /// No sequence runs.
    case idle
    /// A thread drives and is between two sequences.
    case between
    /// A sequence runs; it knows its stage.
    case running(Sequence)
    /// The next request is part of an update that waits for other parameters; no thread drives.
    case blocked
    /// An update of several parameters runs; its thread drives. The sequence is its part here.
    case held(JointUpdate, Sequence?)
    /// Like `held`, but the parameter has no applicator. If the update succeeds, the parameter gets
    /// this value, which differs from its current one.
    case taking(JointUpdate, Value)
  }

  /// Which requests the parameter accepts.
  @usableFromInline
  enum Admission: Sendable {
    case open
    /// No values from callers: the session is interrupted.
    case interrupted
    /// No requests at all, permanently: the session was deactivated.
    case closed

    /// Why values are refused, if they are.
    @inlinable
    var refusal: ParameterError? {
      switch self {
      case .open: nil
      case .interrupted: .interrupted
      case .closed: .sessionDeactivated
      }
    }
  }

  /// The current sequence.
  @inlinable
  var sequence: Sequence? {
    switch phase {
    case .idle, .between, .blocked, .taking: nil
    case .running(let sequence): sequence
    case .held(_, let sequence): sequence
    }
  }

  /// The current sequence if it is in the turn of an applicator that was called.
  var callingSequence: Sequence? {
    guard case .running(let sequence) = phase else { return nil }
    return sequence.stage == .calling || sequence.stage == .awaiting ? sequence : nil
  }

  /// The value that the current sequence or update is about to set.
  var target: Value? {
    if case .taking(_, let value) = phase { value } else { sequence?.target }
  }

  /// Whether no sequence runs and nothing waits or loads.
  @inlinable
  var isIdle: Bool {
    if case .idle = phase { !debounce.isWaiting && updates.load == nil } else { false }
  }

  /// Whether no more values can be published.
  @inlinable
  var isOver: Bool { isReleased && isIdle }
}

// MARK: - Incoming requests

extension ParameterMachine {
  /// Accepts a value from `apply`, or refuses it.
  ///
  /// - Parameter interval: Set if the value must be debounced: then call `hold` with the deadline.
  @inlinable
  mutating func submit(_ request: Request, interval: inout Duration?) -> Effects {
    if let refusal = admission.refusal { return Effects(failing: request, refusal) }
    if case .discrete(let seconds) = mode, let wait = Duration.wait(seconds: seconds) {
      interval = wait
      return Effects()
    }
    return enqueueValue(request)
  }

  /// Debounces a value until `deadline`, after `submit` has set its interval.
  @inlinable
  mutating func hold(_ request: Request, until deadline: Duration) -> Effects {
    if let refusal = admission.refusal { return Effects(failing: request, refusal) }
    guard case .discrete = mode else { return enqueueValue(request) }
    count(request)
    let held = debounce.hold(request, until: deadline)
    var effects = Effects()
    effects.fail(held.overtaken, .superseded)
    effects.cancel(held.stale)
    if let timer = held.timer { effects.rest.append(.set(timer)) }
    return effects
  }

  /// Accepts the value of load `number`, unless values were accepted since `loadGeneration`.
  mutating func submitLoaded(
    _ request: Request, number: UInt64, loadGeneration: UInt64
  ) -> Effects {
    updates.endLoading(number)
    if let refusal = admission.refusal { return Effects(failing: request, refusal) }
    guard generation == loadGeneration else { return Effects(failing: request, .superseded) }
    return enqueueValue(request)
  }

  /// Queues a request that supersedes nothing, such as synchronizing.
  mutating func enqueue(_ request: Request) -> Effects {
    guard admission != .closed else { return Effects(failing: request, .sessionDeactivated) }
    var effects = Effects()
    append(request, &effects)
    return effects
  }

  /// Queues a value that the session sets in every delivery mode, even while values are refused. It
  /// supersedes a debounced value.
  ///
  /// - Parameter isNext: Whether it goes before all others in the session's line, if there is one.
  mutating func impose(_ request: Request, isNext: Bool = false) -> Effects {
    guard admission != .closed else { return Effects(failing: request, .sessionDeactivated) }
    var effects = Effects()
    dropWaiting(.superseded, &effects)
    if line != nil {
      effects.rest.append(.join(request, isNext: isNext))
    } else {
      append(request, &effects)
    }
    return effects
  }

  /// Puts a value at the end of the queue; the effects name the requests that it supersedes.
  @inlinable
  mutating func enqueueValue(_ request: Request) -> Effects {
    count(request)
    var effects = Effects()
    if debounce.isWaiting { dropWaiting(.superseded, &effects) }
    appendValue(request, &effects)
    return effects
  }

  /// Counts an accepted value.
  @inlinable
  mutating func count(_ request: Request) {
    generation += 1
    if !request.isRecommended { choices += 1 }
  }

  @inlinable
  mutating func appendValue(_ request: Request, _ effects: inout Effects) {
    if mode == .latest {
      for overtaken in queue.removeAll(where: { $0.canBeOvertaken }) {
        queuedValues -= 1
        effects.fail(overtaken, .superseded)
      }
    }
    append(request, &effects)
  }

  @inlinable
  mutating func append(_ request: Request, _ effects: inout Effects) {
    if line != nil {
      effects.rest.append(.join(request, isNext: false))
    } else if case .idle = phase {
      effects.action = begin(request)
    } else {
      if request.hasValue { queuedValues += 1 }
      queue.append(request)
    }
  }

  @usableFromInline
  mutating func dropWaiting(_ error: ParameterError, _ effects: inout Effects) {
    let (request, token) = debounce.take()
    effects.fail(request, error)
    effects.cancel(token)
  }
}

// MARK: - Debounce, delivery mode, loads

extension ParameterMachine {
  /// The debounce timer has fired.
  mutating func debounceFired(_ number: UInt64) -> Effects {
    var effects = Effects()
    let (what, token) = debounce.fired(number)
    effects.cancel(token)
    switch what {
    case .nothing: break
    case .again(let timer): effects.rest.append(.set(timer))
    case .deliver(let request): appendValue(request, &effects)
    }
    return effects
  }

  /// Delivers the debounced value now; nil if there is none.
  mutating func flush() -> Effects? {
    let (request, token) = debounce.take()
    guard let request else { return nil }
    var effects = Effects()
    effects.cancel(token)
    appendValue(request, &effects)
    return effects
  }

  mutating func setMode(_ newMode: DeliveryMode) -> Effects {
    mode = newMode.normalized
    return mode == .continuous ? flush() ?? Effects() : Effects()
  }

  /// Load `number` has begun; it may replace an earlier one.
  mutating func beginLoading(_ number: UInt64) {
    if admission != .closed { updates.beginLoading(number) }
  }

  /// Load `number` has failed.
  ///
  /// - Returns: The previous outcome, to be released outside the lock.
  mutating func failLoading(_ number: UInt64, _ error: ParameterError) -> Outcome? {
    updates.endLoading(number)
    return admission == .closed ? nil : updates.conclude(.loadFailed(error))
  }
}

// MARK: - Interruption, end

extension ParameterMachine {
  /// Refuses values from callers from now on; debounced and queued ones fail.
  mutating func refuseValues() -> Effects {
    if admission == .open { admission = .interrupted }
    var effects = Effects()
    for request in queue.removeAll(where: { $0.isValue }) {
      queuedValues -= 1
      effects.fail(request, .interrupted)
    }
    dropWaiting(.interrupted, &effects)
    return effects
  }

  /// Accepts values from callers again.
  mutating func acceptValues() {
    if admission == .interrupted { admission = .open }
  }

  /// Closes the parameter: all current and later requests fail.
  ///
  /// - Parameter isAlone: Whether the other parameters of the session stay open. Their updates then
  ///   keep their places in the queue.
  mutating func close(isAlone: Bool = false) -> Effects {
    var effects = Effects()
    guard admission != .closed else { return effects }
    admission = .closed
    updates.load = nil
    if !isAlone || target != nil { endSequence(&effects) }
    for request in queue.removeAll(where: { !isAlone || !$0.isPlace }) {
      effects.fail(request, .sessionDeactivated)
    }
    queuedValues = 0
    dropWaiting(.sessionDeactivated, &effects)
    if case .idle = phase, !queue.isEmpty {
      phase = .between
      effects.action = next()
    }
    return effects
  }

  private mutating func endSequence(_ effects: inout Effects) {
    if let ended = sequence {
      if ended.stage != .comparing {
        effects.release(updates.conclude(.failed(ended.target, .sessionDeactivated)))
      }
      effects.fail(ended.request, .sessionDeactivated)
      if let record = callingSequence?.current.take(), ended.answer == nil {
        if call.hasSucceeded(ended.ticket) {
          effects.release(record.take(ended.target, from: ended.number))
        } else {
          effects.release(record.forget())
        }
        if let cancel = record.handlers.cancel { effects.cancel(ObservationToken(cancel)) }
      }
      effects.cancel(ended.timer.take())
      ended.clearTurns()
      effects.release(ended)
    }
    switch phase {
    case .held(let update, _):
      effects.rest.append(.end(update, .sessionDeactivated))
      phase = .idle
    case .taking(_, let value):
      // The update fails when one of its other parts fails, or when its thread finds that this part
      // is not held.
      effects.release(updates.conclude(.failed(value, .sessionDeactivated)))
      phase = .idle
    case .running(let sequence):
      phase = sequence.stage == .awaiting ? .idle : .between
      sequence.stage = .over
    case .idle, .blocked: phase = .idle
    case .between: break
    }
  }
}
