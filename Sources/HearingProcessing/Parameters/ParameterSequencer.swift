/// Owns a parameter's state machine and its lock, and performs outside the lock the work that the
/// machine returns.
///
/// Pending work retains it; the app retains only the parameter and may release that earlier.
@usableFromInline
final class ParameterSequencer<Value: Equatable & Sendable>: Sendable {
  @usableFromInline typealias Machine = ParameterMachine<Value>
  @usableFromInline typealias Request = ParameterRequest<Value>
  @usableFromInline typealias Publisher = ResultPublisher<Value, ParameterError>
  /// An update state that is stored and not yet delivered.
  @usableFromInline typealias StateChange = CurrentValueSource<UpdateState<Value>>.Publication

  @usableFromInline let machine: Lock<Machine>
  @usableFromInline let call = CallProgress()
  @usableFromInline let values: CurrentValueSource<Value>
  @usableFromInline let updates: CurrentValueSource<UpdateState<Value>>
  @usableFromInline let scheduler: any DeadlineScheduler
  @usableFromInline let validate: (@Sendable (Value) -> Bool)?
  @usableFromInline let trace: ParameterTrace?
  /// Whether setting the delivery mode has no effect.
  private let isAlwaysContinuous: Bool

  init(
    _ initialValue: Value, scheduler: any DeadlineScheduler, isAlwaysContinuous: Bool = false,
    validate: (@Sendable (Value) -> Bool)?, trace: ParameterTrace? = nil
  ) {
    self.trace = trace
    machine = Lock(Machine(initialValue, call: call))
    values = CurrentValueSource(initialValue, observation: ObservedProperty())
    updates = CurrentValueSource(.applied, observation: ObservedProperty())
    self.scheduler = scheduler
    self.validate = validate
    self.isAlwaysContinuous = isAlwaysContinuous
  }

  // MARK: Incoming requests

  /// - Parameter isRecommended: Whether the value comes from a recommendation.
  @inlinable
  func apply(_ value: Value, isRecommended: Bool = false) -> Publisher {
    guard isValid(value) else { return refusing(value) }
    var request = Request(.value(value))
    request.isRecommended = isRecommended
    return apply(request)
  }

  @inlinable
  func apply(_ request: Request) -> Publisher {
    var interval: Duration?
    submit { $0.submit(request, interval: &interval) }
    if let interval {
      let deadline = scheduler.now + interval
      submit { $0.hold(request, until: deadline) }
    }
    return request.result
  }

  /// Whether the parameter accepts `value`. A value that differs from itself, as NaN does, would
  /// always be out of date.
  @inlinable
  func isValid(_ value: Value) -> Bool {
    value == value && validate?(value) != false
  }

  @usableFromInline
  func refusing(_ value: Value) -> Publisher {
    Publisher(.failure(invalid(value)))
  }

  func invalid(_ value: Value) -> ParameterError {
    .invalidValue(Attempt(applicator: nil, describing: value).value)
  }

  func synchronize() -> Publisher {
    let request = Request(.current)
    submit { $0.enqueue(request) }
    return request.result
  }

  /// Sets `value` in every delivery mode, even while values are refused; it supersedes a debounced
  /// value.
  ///
  /// - Parameters:
  ///   - isNext: Whether it goes before all others in the session's line, if there is one.
  ///   - replacing: Receives the previous value when the sequence begins.
  func impose(
    _ value: Value, isNext: Bool = false, replacing: @escaping @Sendable (Value) -> Void
  ) -> Publisher {
    let request = Request(.imposed(value, replacing: replacing))
    submit { $0.impose(request, isNext: isNext) }
    return request.result
  }

  /// Passes a request to the machine and performs the work that it returns.
  @inlinable
  func submit(_ event: (inout Machine) -> Machine.Effects) {
    var effects = Machine.Effects()
    var line: LineReference?
    let stateChange = change { machine in
      line = machine.line
      if line == nil { effects = event(&machine) }
    }
    if let line { return joining(line, event)() }
    deliver(stateChange)
    perform(effects)
  }

  /// Applies `value` to every applicator that may have a different one; a failure does not stop the
  /// others.
  func reset(to value: Value) -> Publisher {
    let request = Request(.reset(value))
    submit { $0.enqueue(request) }
    return request.result
  }

  /// How many accepted values do not come from a recommendation.
  var choices: UInt64 { machine.withLock { $0.choices } }

  // MARK: Loads

  /// Runs `body` under the lock. It receives the reason why values are refused, if they are, and
  /// the generation of the values.
  ///
  /// - Parameter body: Returns the number of the load that begins, if one does.
  func beginLoading(_ body: (ParameterError?, UInt64) -> UInt64?) {
    deliver(
      change { machine in
        if let number = body(machine.admission.refusal, machine.generation) {
          machine.beginLoading(number)
        }
      })
  }

  /// Ends load `number` with a valid value.
  ///
  /// - Parameter endIfCurrent: Called under the lock; ends the load and returns true, or returns
  ///   false if another load replaced this one.
  func finishLoading(
    _ number: UInt64, with value: Value, generation: UInt64, isRecommended: Bool = false,
    result: Publisher, endIfCurrent: () -> Bool
  ) {
    var loaded = Request(.value(value), result: result)
    loaded.isRecommended = isRecommended
    let request = loaded
    submit { machine in
      guard endIfCurrent() else {
        return .init(failing: request, machine.admission.refusal ?? .superseded)
      }
      return machine.submitLoaded(request, number: number, loadGeneration: generation)
    }
    finishIfOver()
  }

  func failLoading(_ number: UInt64, _ error: ParameterError, for result: Publisher) {
    var displaced: Machine.Outcome?
    deliver(change { displaced = $0.failLoading(number, error) })
    _ = displaced
    result.settle(.failure(error))
    finishIfOver()
  }

  // MARK: Debounce, delivery mode

  var deliveryMode: DeliveryMode {
    get { machine.withLock { $0.mode } }
    set { if !isAlwaysContinuous { submit { $0.setMode(newValue) } } }
  }

  func flush() -> Bool {
    var isWaiting = false
    submit { machine in
      let effects = machine.flush()
      isWaiting = effects != nil
      return effects ?? Machine.Effects()
    }
    return isWaiting
  }

  @usableFromInline
  func set(_ timer: Debounce<Value>.Timer) {
    let token = scheduler.schedule(at: timer.deadline) { [self] in
      submit { $0.debounceFired(timer.number) }
    }
    let stale = machine.withLock { $0.debounce.keep(token, ofTimer: timer.number) }
    stale?.cancel()
  }

  // MARK: Interruption, end

  /// Refuses values from callers from now on; debounced and queued ones fail.
  ///
  /// - Returns: A closure that publishes those failures; call it outside all locks.
  func refusingValues() -> @Sendable () -> Void {
    publishing { $0.refuseValues() }
  }

  /// Accepts values from callers again.
  func acceptValues() {
    machine.withLock { $0.acceptValues() }
  }

  /// Closes the parameter at once: all current and later requests fail.
  ///
  /// - Parameter isAlone: Whether the other parameters of the session stay open.
  /// - Returns: A closure that publishes those failures; call it outside all locks.
  func closing(isAlone: Bool = false) -> @Sendable () -> Void {
    let publishFailures = publishing { $0.close(isAlone: isAlone) }
    return { [self] in
      publishFailures()
      finishPublishers()
    }
  }

  /// The parameter was released: pending work is still finished.
  func release() {
    machine.withLock { $0.isReleased = true }
    finishIfOver()
  }

  func finishIfOver() {
    if machine.withLock({ $0.isOver }) { finishPublishers() }
  }

  func finishPublishers() {
    watchUpdates()
    values.finish()
    updates.finish()
  }

  // MARK: Events

  /// Runs an event and stores the resulting update state, for delivery outside the lock.
  @inlinable
  func change(_ event: (inout Machine) -> Void) -> StateChange? {
    var stateChange: StateChange?
    machine.withLock { machine in
      event(&machine)
      stateChange = storeUpdate(&machine)
    }
    return stateChange
  }

  @inlinable
  func storeUpdate(_ machine: inout Machine, isEnding: Bool = false) -> StateChange? {
    guard machine.updates.isWatched else { return nil }
    return machine.takeUpdate(isEnding: isEnding).map { updates.enqueue($0) }
  }

  /// Publishes the update state from now on; before the first access none is published.
  func watchUpdates() {
    var stateChange: StateChange?
    machine.withLock { machine in
      guard !machine.updates.isWatched else { return }
      machine.updates.isWatched = true
      stateChange = storeUpdate(&machine, isEnding: true)
    }
    deliver(stateChange)
  }

  /// Runs an event at once.
  ///
  /// - Returns: A closure that performs the resulting work; call it outside all locks.
  func publishing(
    _ event: (inout Machine) -> Machine.Effects
  ) -> @Sendable () -> Void {
    var effects = Machine.Effects()
    let stateChange = change { effects = event(&$0) }
    return { [self, effects] in
      deliver(stateChange)
      perform(effects)
    }
  }

  @inlinable
  func perform(_ effects: Machine.Effects) {
    if !effects.rest.isEmpty { perform(effects.rest) }
    drive(effects.action)
  }

  @inlinable
  func perform(_ effects: [Machine.Effect]) {
    for effect in effects {
      switch effect {
      case .fail(let request, let error): request.result.settle(.failure(error))
      case .cancel(let token): token.cancel()
      case .set(let timer): set(timer)
      case .end(let update, let error): update.end(error)
      case .release, .join: break
      }
    }
  }

  @inlinable
  func deliver(_ stateChange: StateChange?) {
    if let stateChange { updates.deliver(stateChange) }
  }
}

// MARK: - Applicators

extension ParameterSequencer: ApplicatorOwner {
  func makeApplicator(named name: String? = nil) -> ProcessingApplicator<Value> {
    let record = ApplicatorRecord<Value>(name: name)
    machine.withLock { $0.join(record) }
    return ProcessingApplicator(record: record, owner: self)
  }

  /// Creates an applicator that already has `value`, if it is not nil; nothing is applied.
  func makeApplicator(
    named name: String? = nil, at value: Value?
  ) -> ProcessingApplicator<Value> {
    let record = ApplicatorRecord<Value>(latest: value, name: name)
    machine.withLock { $0.join(record) }
    return ProcessingApplicator(record: record, owner: self)
  }

  func makeApplicator(
    named name: String? = nil, synchronizing value: Value
  ) -> (ProcessingApplicator<Value>, Publisher) {
    guard isValid(value) else { return (makeApplicator(named: name), refusing(value)) }
    let record = ApplicatorRecord<Value>(name: name)
    let applicator = ProcessingApplicator(record: record, owner: self)
    let request = Request(.value(value))
    submit { $0.join(record, at: value, request) }
    return (applicator, request.result)
  }

  func configure(
    _ record: ApplicatorRecord<Value>,
    _ change: @Sendable (inout ApplicatorRecord<Value>.Handlers) -> Void
  ) {
    let (_, catchesUp) = machine.withLock { $0.configure(record, change) }
    if catchesUp { _ = synchronize() }
  }

  func latestAppliedValue(of record: ApplicatorRecord<Value>) -> Value? {
    machine.withLock { $0.latest(of: record) }
  }

  func remove(_ record: ApplicatorRecord<Value>) {
    var departure: Machine.Departure?
    react { machine in
      departure = machine.remove(record)
      return departure?.reaction ?? Machine.Reaction()
    }
  }
}
