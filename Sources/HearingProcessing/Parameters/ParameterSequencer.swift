/// Owns a parameter's state and its lock, and does what the state machine says, outside the lock.
///
/// Whatever is under way keeps it alive; the parameter, which is what an app holds, may be gone.
@usableFromInline
final class ParameterSequencer<Value: Equatable & Sendable>: Sendable {
  @usableFromInline typealias Machine = ParameterMachine<Value>
  @usableFromInline typealias Request = ParameterRequest<Value>
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
  func submit(_ request: Request, _ event: (inout Machine) -> Machine.Submission) {
    var (submission, news) = change(event)
    if case .debounced(let interval) = submission {
      let deadline = scheduler.now + interval
      (submission, news) = change { $0.hold(request, until: deadline) }
    }
    switch submission {
    case .refused(let error):
      if let news { updates.deliver(news) }
      request.result.settle(.failure(error))
    case .accepted(let effects): perform(effects, news)
    case .debounced: preconditionFailure("a held value is debounced again")
    }
  }

  // MARK: Loads

  /// Counts the values that were accepted.
  var generation: UInt64 { machine.withLock { $0.generation } }

  func beginLoading(_ number: UInt64) {
    let (_, news) = change { $0.beginLoading(number) }
    if let news { updates.deliver(news) }
  }

  /// Applies what load `number` brought, unless something was applied since it began.
  func applyLoaded(_ value: Value, number: UInt64, generation: UInt64, for result: Publisher) {
    guard takes(value) else { return failLoading(number, .invalidValue, for: result) }
    let request = Request(.value(value), result: result)
    submit(request) {
      $0.submitLoaded(request, number: number, loadGeneration: generation)
    }
    finishIfOver()
  }

  func failLoading(_ number: UInt64, _ error: ParameterError, for result: Publisher) {
    let (_, news) = change { $0.failLoading(number, error) }
    if let news { updates.deliver(news) }
    result.settle(.failure(error))
    finishIfOver()
  }

  // MARK: Waiting values, delivery mode

  var deliveryMode: DeliveryMode {
    get { machine.withLock { $0.mode } }
    set {
      let (effects, news) = change { $0.setMode(newValue) }
      perform(effects, news)
    }
  }

  func flush() -> Bool {
    let (effects, news) = change { $0.flush() }
    guard let effects else { return false }
    perform(effects, news)
    return true
  }

  @usableFromInline
  func set(_ timer: Debounce<Value>.Timer) {
    let token = scheduler.schedule(at: timer.deadline) { [self] in
      let (effects, news) = change { $0.debounceFired(timer.number) }
      perform(effects, news)
    }
    let stale = machine.withLock { $0.debounce.keep(token, ofTimer: timer.number) }
    stale?.cancel()
  }

  // MARK: Interruption, end

  /// Applied values are refused from now on; those that wait fail.
  func holdOff() {
    let (effects, news) = change { $0.holdOff() }
    perform(effects, news)
  }

  func letIn() {
    machine.withLock { $0.letIn() }
  }

  /// The session is over.
  func close() {
    let (effects, news) = change { $0.close() }
    perform(effects, news)
    finishPublishers()
  }

  /// The parameter is released: what is under way goes on.
  func orphan() {
    machine.withLock { $0.isOrphaned = true }
    finishIfOver()
  }

  private func finishIfOver() {
    if machine.withLock({ $0.isOver }) { finishPublishers() }
  }

  @usableFromInline
  func finishPublishers() {
    values.finish()
    updates.finish()
  }

  // MARK: Doing what the machine says

  /// Runs an event; a state that it leads to is stored in the same breath and delivered later.
  @inlinable
  func change<Result: Sendable>(
    _ event: (inout Machine) -> Result
  ) -> (Result, CurrentValueSource<UpdateState<Value>>.Publication?) {
    machine.withLock { machine in
      let result = event(&machine)
      let update = machine.takeUpdate(isEnding: false, standing: { values.value })
      return (result, update.map { updates.enqueue($0) })
    }
  }

  @inlinable
  func perform(
    _ effects: Machine.Effects,
    _ news: CurrentValueSource<UpdateState<Value>>.Publication? = nil
  ) {
    if let news { updates.deliver(news) }
    for failure in effects.failures { failure.request.result.settle(.failure(failure.error)) }
    for token in effects.staleTokens { token.cancel() }
    if let timer = effects.timer { set(timer) }
    if effects.drives { drive { $0.begin() } }
  }
}
