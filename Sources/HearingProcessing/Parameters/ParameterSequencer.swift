/// Owns a parameter's state and its lock, and does what the state machine says, outside the lock.
///
/// Whatever is under way keeps it alive; the parameter, which is what an app holds, may be gone.
@usableFromInline
final class ParameterSequencer<Value: Equatable & Sendable>: Sendable {
  @usableFromInline typealias Machine = ParameterMachine<Value>
  @usableFromInline typealias Request = ParameterRequest<Value>
  /// A state of affairs that was stored and is still to be told.
  @usableFromInline typealias News = CurrentValueSource<UpdateState<Value>>.Publication
  @usableFromInline typealias Publisher = ResultPublisher<Value, ParameterError>

  @usableFromInline let machine = Lock(Machine())
  @usableFromInline let values: CurrentValueSource<Value>
  @usableFromInline let updates: CurrentValueSource<UpdateState<Value>>
  @usableFromInline let scheduler: any DeadlineScheduler
  @usableFromInline let validate: (@Sendable (Value) -> Bool)?

  init(
    _ initialValue: Value, scheduler: any DeadlineScheduler,
    validate: (@Sendable (Value) -> Bool)?
  ) {
    values = CurrentValueSource(initialValue, observation: ObservedProperty())
    updates = CurrentValueSource(.applied, observation: ObservedProperty())
    self.scheduler = scheduler
    self.validate = validate
  }

  // MARK: Values coming in

  @inlinable
  func apply(_ value: Value) -> Publisher {
    guard takes(value) else { return Publisher(.failure(.invalidValue)) }
    let request = Request(.value(value))
    submit(request) { $0.submit(request) }
    return request.result
  }

  /// Whether `value` may become the parameter's. One that differs from itself, as NaN does, could
  /// never be found up to date.
  @inlinable
  func takes(_ value: Value) -> Bool {
    value == value && validate?(value) != false
  }

  func synchronize() -> Publisher {
    enqueue(.current)
  }

  /// Puts `value` in place of the one that stands when its turn comes, whatever the delivery mode
  /// and although applied values are refused.
  func impose(_ value: Value, replacing: @escaping @Sendable (Value) -> Void) -> Publisher {
    enqueue(.imposed(value, replacing: replacing))
  }

  private func enqueue(_ target: Request.Target) -> Publisher {
    let request = Request(target)
    submit(request) { $0.enqueue(request) }
    return request.result
  }

  /// Hands `request` in and does what comes of it.
  @inlinable
  func submit(_ request: Request, _ event: (inout Machine) -> Machine.Effects) {
    let change = prepare(event)
    if let interval = change.effects.interval {
      let deadline = scheduler.now + interval
      perform(prepare { $0.hold(request, until: deadline) })
    } else {
      perform(change)
    }
  }

  // MARK: Loads

  func failLoading(_ number: UInt64, _ error: ParameterError, for result: Publisher) {
    var displaced: Machine.Outcome?
    tell(change { displaced = $0.failLoading(number, error) })
    _ = displaced
    result.settle(.failure(error))
    finishIfOver()
  }

  // MARK: Waiting values, delivery mode

  var deliveryMode: DeliveryMode {
    get { machine.withLock { $0.mode } }
    set { perform(prepare { $0.setMode(newValue) }) }
  }

  func flush() -> Bool {
    var isWaiting = false
    let change = prepare { machine in
      let effects = machine.flush()
      isWaiting = effects != nil
      return effects ?? Machine.Effects()
    }
    perform(change)
    return isWaiting
  }

  @usableFromInline
  func set(_ timer: Debounce<Value>.Timer) {
    let token = scheduler.schedule(at: timer.deadline) { [self] in
      perform(prepare { $0.debounceFired(timer.number) })
    }
    let stale = machine.withLock { $0.debounce.keep(token, ofTimer: timer.number) }
    stale?.cancel()
  }

  // MARK: Interruption, end

  func letIn() {
    machine.withLock { $0.letIn() }
  }

  /// Closes the parameter at once: whatever waits or is in flight fails, and so does all that comes.
  ///
  /// - Returns: Tells those whom it concerns; to be called outside all locks.
  func closing() -> @Sendable () -> Void {
    let change = prepare { $0.close() }
    return { [self] in
      perform(change)
      finishPublishers()
    }
  }

  /// The parameter is released: what is under way goes on.
  func orphan() {
    machine.withLock { $0.isOrphaned = true }
    finishIfOver()
  }

  @inlinable
  func finishIfOver() {
    if machine.withLock({ $0.isOver }) { finishPublishers() }
  }

  @usableFromInline
  func finishPublishers() {
    values.finish()
    updates.finish()
  }

  // MARK: Doing what the machine says

  /// Runs an event; a state that it leads to is stored in the same breath, to be told later.
  @inlinable
  func change(_ event: (inout Machine) -> Void) -> News? {
    var news: News?
    machine.withLock { machine in
      event(&machine)
      if let state = machine.takeUpdate(standing: { values.value }) {
        news = updates.enqueue(state)
      }
    }
    return news
  }

  /// What an event leaves to be done, and the state to be told with it.
  @usableFromInline
  struct Change: Sendable {
    @usableFromInline var effects = Machine.Effects()
    @usableFromInline var news: News?

    @inlinable
    init() {}
  }

  /// Runs an event; `perform` must follow, outside every lock.
  @inlinable
  func prepare(_ event: (inout Machine) -> Machine.Effects) -> Change {
    var prepared = Change()
    prepared.news = change { prepared.effects = event(&$0) }
    return prepared
  }

  @inlinable
  func perform(_ change: Change) {
    tell(change.news)
    let effects = change.effects
    for failure in effects.failures { failure.request.result.settle(.failure(failure.error)) }
    for token in effects.staleTokens { token.cancel() }
    if let timer = effects.timer { set(timer) }
    if effects.drives { drive() }
  }

  @inlinable
  func tell(_ news: News?) {
    if let news { updates.deliver(news) }
  }
}
