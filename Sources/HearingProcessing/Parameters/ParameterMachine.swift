/// A parameter as a state machine: what was asked, what waits, the sequence under way.
///
/// Events are mutating methods; they return what is to be done, and the `ParameterSequencer`, which
/// owns the lock around this, does it outside the lock. No event calls anything that a user wrote,
/// and what an event lets go of is in what it returns.
@usableFromInline
struct ParameterMachine<Value: Equatable & Sendable>: Sendable {
  @usableFromInline typealias Request = ParameterRequest<Value>
  @usableFromInline typealias Record = ApplicatorRecord<Value>

  @usableFromInline var mode = DeliveryMode.continuous
  @usableFromInline var queue = FIFO<Request>()
  @usableFromInline var debounce = Debounce<Value>()
  @usableFromInline var applicators = OrderedSlots<Record>()
  @usableFromInline var sequence: ApplicationSequence<Value>?
  /// Whether a thread is driving: it calls handlers, compares or delivers news, and will go on.
  @usableFromInline var isDriven = false
  @usableFromInline var lastTicket: UInt64 = 0
  /// Counts the values that were accepted: a load compares it with that of its start.
  @usableFromInline var generation: UInt64 = 0
  /// Whether applied values are refused because the session is interrupted.
  @usableFromInline var isHeld = false
  @usableFromInline var isClosed = false
  /// The number of the load under way.
  @usableFromInline var load: UInt64?
  var lastLoad: UInt64 = 0
  @usableFromInline var isOrphaned = false
  @usableFromInline var lastOutcome = Outcome.applied
  @usableFromInline var outcomeCount: UInt64 = 0
  @usableFromInline var publishedMark = UpdateMark(phase: .outcome, count: 0)

  @inlinable
  init() {}

  /// How the last sequence or load ended.
  @usableFromInline
  enum Outcome: Sendable {
    case applied
    case failed(Value, ParameterError)
    /// A load failed: it is told with the value that stands.
    case loadFailed(ParameterError)
  }

  /// What is left to be done, in this order, after an event that is not part of driving.
  @usableFromInline
  struct Effects: Sendable {
    @usableFromInline var failures: [(request: Request, error: ParameterError)] = []
    @usableFromInline var staleTokens: [ObservationToken] = []
    @usableFromInline var timer: Debounce<Value>.Timer?
    @usableFromInline var drives = false
    /// Only to be released outside the lock.
    @usableFromInline var displaced: [any Sendable] = []

    @inlinable
    init() {}

    @inlinable
    mutating func fail(_ request: Request?, _ error: ParameterError) {
      if let request { failures.append((request, error)) }
    }
  }

  /// What came of handing a value in.
  @usableFromInline
  enum Submission: Sendable {
    case refused(ParameterError)
    case accepted(Effects)
    /// The value is to wait so long from now: `hold` is to be called with the deadline.
    case debounced(Duration)
  }
}

// MARK: - Values coming in

extension ParameterMachine {
  /// Why values are refused at the moment, if they are.
  @inlinable
  var refusal: ParameterError? {
    isClosed ? .sessionDeactivated : isHeld ? .interrupted : nil
  }

  /// A value was applied.
  @inlinable
  mutating func submit(_ request: Request) -> Submission {
    if let refusal { return .refused(refusal) }
    if case .discrete(let seconds) = mode, let interval = Duration.wait(seconds: seconds) {
      return .debounced(interval)
    }
    return .accepted(enqueueValue(request))
  }

  /// A value that `submit` found to be debounced, now with its deadline.
  @usableFromInline
  mutating func hold(_ request: Request, until deadline: Duration) -> Submission {
    if let refusal { return .refused(refusal) }
    guard case .discrete = mode else { return .accepted(enqueueValue(request)) }
    generation += 1
    let held = debounce.hold(request, until: deadline)
    var effects = Effects()
    effects.fail(held.overtaken, .superseded)
    if let stale = held.stale { effects.staleTokens.append(stale) }
    effects.timer = held.timer
    return .accepted(effects)
  }

  /// A value came from load `number`, which began when values had `loadGeneration`.
  mutating func submitLoaded(
    _ request: Request, number: UInt64, loadGeneration: UInt64
  ) -> Submission {
    endLoading(number)
    if let refusal { return .refused(refusal) }
    guard generation == loadGeneration else { return .refused(.superseded) }
    return .accepted(enqueueValue(request))
  }

  /// An applicator joins that is already at `value`; the request brings the others there.
  mutating func join(_ record: Record, at value: Value, _ request: Request) -> Submission {
    guard !isClosed else { return .refused(.sessionDeactivated) }
    record.latest = value
    applicators.append(record)
    guard !isHeld else {
      record.catchesUp = true
      return .refused(.interrupted)
    }
    return .accepted(enqueueValue(request))
  }

  /// A request that overtakes nothing: to synchronize, or to impose a value.
  mutating func enqueue(_ request: Request) -> Submission {
    guard !isClosed else { return .refused(.sessionDeactivated) }
    var effects = Effects()
    append(request, &effects)
    return .accepted(effects)
  }

  /// Puts a value at the end of the queue; what it overtakes is in the effects.
  @inlinable
  mutating func enqueueValue(_ request: Request) -> Effects {
    generation += 1
    var effects = Effects()
    if debounce.waiting != nil { dropWaiting(.superseded, &effects) }
    appendValue(request, &effects)
    return effects
  }

  @inlinable
  mutating func appendValue(_ request: Request, _ effects: inout Effects) {
    if mode == .latest {
      for overtaken in queue.removeAll(where: \.isValue) { effects.fail(overtaken, .superseded) }
    }
    append(request, &effects)
  }

  @inlinable
  mutating func append(_ request: Request, _ effects: inout Effects) {
    queue.append(request)
    if !isDriven && sequence == nil {
      isDriven = true
      effects.drives = true
    }
  }

  @usableFromInline
  mutating func dropWaiting(_ error: ParameterError, _ effects: inout Effects) {
    let (request, token) = debounce.take()
    effects.fail(request, error)
    if let token { effects.staleTokens.append(token) }
  }
}

// MARK: - Waiting values, delivery mode

extension ParameterMachine {
  /// The debounce's timer has fired.
  mutating func debounceFired(_ number: UInt64) -> Effects {
    var effects = Effects()
    let (what, token) = debounce.fired(number)
    if let token { effects.staleTokens.append(token) }
    switch what {
    case .nothing: break
    case .again(let timer): effects.timer = timer
    case .deliver(let request): appendValue(request, &effects)
    }
    return effects
  }

  /// A waiting value is to be delivered now; nil if none waits.
  mutating func flush() -> Effects? {
    let (request, token) = debounce.take()
    guard let request else { return nil }
    var effects = Effects()
    if let token { effects.staleTokens.append(token) }
    appendValue(request, &effects)
    return effects
  }

  mutating func setMode(_ newMode: DeliveryMode) -> Effects {
    mode = newMode.normalized
    return mode == .continuous ? flush() ?? Effects() : Effects()
  }
}

// MARK: - Interruption, end

extension ParameterMachine {
  /// From now on applied values are refused; those that waited fail.
  mutating func holdOff() -> Effects {
    isHeld = true
    var effects = Effects()
    for request in queue.removeAll(where: \.isValue) { effects.fail(request, .interrupted) }
    dropWaiting(.interrupted, &effects)
    return effects
  }

  mutating func letIn() {
    isHeld = false
  }

  /// The session is over: whatever waits or is in flight fails, and so does all that comes.
  mutating func close() -> Effects {
    var effects = Effects()
    guard !isClosed else { return effects }
    isClosed = true
    load = nil
    if let ended = sequence.take() {
      effects.fail(ended.request, .sessionDeactivated)
      if let awaited = ended.awaited, awaited.answer == nil {
        effects.displaced.append(awaited.record.latest.take())
      }
      if let token = ended.awaited?.timer { effects.staleTokens.append(token) }
      if let value = ended.value {
        effects.displaced.append(conclude(.failed(value, .sessionDeactivated)))
      }
      effects.displaced.append(ended)
    }
    for request in queue.removeAll(where: { _ in true }) {
      effects.fail(request, .sessionDeactivated)
    }
    dropWaiting(.sessionDeactivated, &effects)
    return effects
  }

  @usableFromInline var isIdle: Bool {
    !isDriven && sequence == nil && debounce.waiting == nil && load == nil
  }

  /// Whether nothing can come any more.
  @usableFromInline var isOver: Bool { isOrphaned && isIdle }
}
