/// The operations on one parameter: applying values, creating applicators, and changing the
/// handlers of applicators. An applicator applies the parameter's values to one target, for example
/// to a headphone. The lane stores the value and the applicators of the parameter. The kernel owns
/// the lock that protects the lane.
struct LaneAccess<Value: Equatable & Sendable>: Sendable {
  typealias Publisher = ResultPublisher<Value, ParameterError>

  let kernel: Kernel
  let lane: Lane<Value>
  let validate: (@Sendable (Value) -> Bool)?
  /// Creates the last part of a transaction, which is a change of one or several parameters. The
  /// last part calls the applicators that receive the values of all parameters of a session
  /// together. The argument contains the other parts of the transaction, one part for each changed
  /// parameter. The closure `makeLastPart` is nil if the parameter does not belong to a session.
  private let makeLastPart: (@Sendable ([ValuePart]) -> ValuePart)?
  /// A token that ends the parameter's publishers when the token is released. The parameter retains
  /// the token. A transaction of the parameter retains the token until the transaction ends.
  /// Applicators do not retain the token.
  private(set) var lifetime: ObservationToken?

  init(
    kernel: Kernel, lane: Lane<Value>, validate: (@Sendable (Value) -> Bool)? = nil,
    makeLastPart: (@Sendable ([ValuePart]) -> ValuePart)? = nil
  ) {
    self.makeLastPart = makeLastPart
    self.kernel = kernel
    self.lane = lane
    self.validate = validate
    lifetime = ObservationToken { lane.finish() }
  }

  /// The index of the parameter's lane in the kernel. The lane of the whole session has no index,
  /// and the result for this lane is 0. Callers cannot apply values to the whole session, so the
  /// result 0 of this lane is never used.
  private var index: Int { lane.index ?? 0 }

  // MARK: Values

  /// - Parameter isRecommended: Whether a recommendation source has recommended the value.
  func apply(_ value: Value, isRecommended: Bool = false) -> Publisher {
    let (transaction, result) = request(value, isRecommended: isRecommended)
    guard let transaction else { return result }
    guard let wait = kernel.withLock({ $0.debounceInterval(index) }) else {
      kernel.run { $0.accept(transaction, &$1) }
      return result
    }
    let deadline = kernel.scheduler.now + wait
    kernel.run { machine, effects in
      machine.hold(transaction, on: index, until: deadline, &effects)
      effects.notify(lane.publishStatus(machine.progress(index)))
    }
    return result
  }

  /// Returns a transaction that applies `value`, and the publisher of its result. If the value is
  /// invalid, the transaction is nil, and the result is an error.
  private func request(
    _ value: Value, isRecommended: Bool = false
  ) -> (transaction: Transaction?, result: Publisher) {
    let result = Publisher()
    guard isValid(value) else {
      result.settle(.failure(invalid(value)))
      return (nil, result)
    }
    return (transaction(.value(isRecommended: isRecommended), value, result), result)
  }

  func transaction(
    _ kind: Transaction.Kind, _ value: Value?, _ result: Publisher
  ) -> Transaction {
    let part = ValuePart(lane, target: value.map { ValueBox($0) }, lifetime: lifetime)
    return Transaction(
      kind, lanes: lane.bit, [part] + (makeLastPart.map { [$0([part])] } ?? [])
    ) { error in
      result.settle(error.map { .failure($0) } ?? .success(ValueBox<Value>.open(part.target)))
    }
  }

  /// Whether the parameter accepts `value`. A value that is not equal to itself, such as NaN, is
  /// invalid. An applicator is called again if its last value differs from the parameter's value.
  /// These two values would always differ if both values were NaN.
  func isValid(_ value: Value) -> Bool {
    value == value && validate?(value) != false
  }

  func invalid(_ value: Value) -> ParameterError {
    .invalidValue(Attempt(applicator: nil, describing: value).value)
  }

  func synchronize() -> Publisher {
    let result = Publisher()
    let transaction = transaction(.maintenance, nil, result)
    kernel.run { $0.submit(transaction, &$1) }
    return result
  }

  var deliveryMode: DeliveryMode {
    get { kernel.withLock { $0.lanes[index].mode } }
    nonmutating set { kernel.run { $0.setMode(index, newValue, &$1) } }
  }

  func flush() -> Bool {
    var wasWaiting = false
    kernel.run { wasWaiting = $0.flush(index, &$1) }
    return wasWaiting
  }

  /// Returns the value of the last request that is still waiting or being applied. If there is no
  /// such request, returns the parameter's current value. The caller holds the kernel's lock.
  func requested(_ machine: TransactionMachine) -> Value {
    let parts = machine.latestRequest(index)?.parts ?? []
    return ValueBox<Value>.open(parts.first { $0.lane === lane }?.target ?? lane.current)
  }

  // MARK: Applicators

  /// - Parameter value: The value that the applicator's target already has, or nil if unknown. This
  ///   method does not apply the value.
  func makeApplicator(named name: String? = nil, at value: Value? = nil)
    -> ProcessingApplicator<Value>
  {
    let record = ApplicatorRecord(latest: value.map { ValueBox($0) }, name: name)
    kernel.withLock { machine in
      record.number = lane.applicators.append(record)
      if lane.index == nil { machine.wholeSessionApplicators += 1 }
    }
    var access = self
    access.lifetime = nil
    return ProcessingApplicator(record: record, access: access)
  }

  func makeApplicator(
    named name: String? = nil, synchronizing value: Value
  ) -> (ProcessingApplicator<Value>, Publisher) {
    let (transaction, result) = request(value)
    guard let transaction else { return (makeApplicator(named: name), result) }
    let applicator = makeApplicator(named: name, at: value)
    kernel.run { $0.accept(transaction, &$1) }
    return (applicator, result)
  }

  /// Changes the handlers of an applicator. If the session is interrupted and the applicator's
  /// target may amplify audio, this method also switches the target off.
  func configure(
    _ record: ApplicatorRecord,
    _ change: @Sendable (inout ApplicatorRecord.Handlers) -> Void
  ) {
    let (amplifies, _) = kernel.withLock { machine in
      let replaced = record.handlers
      if record.number != nil { change(&record.handlers) }
      return (machine.interruptions.isActive && lane.mayAmplify(record), replaced)
    }
    guard amplifies, let transaction = kernel.makeSwitchOff?() else { return }
    kernel.run { $0.submit(transaction, &$1) }
  }

  func latestAppliedValue(of record: ApplicatorRecord) -> Value? {
    kernel.withLock { _ in record.latest }.map { ValueBox<Value>.open($0) }
  }

  /// Removes the applicator permanently. If a transaction waits for the applicator's answer, the
  /// transaction continues without this answer.
  func remove(_ record: ApplicatorRecord) {
    var (handlers, removed) = (ApplicatorRecord.Handlers(), nil as ApplicatorRecord?)
    kernel.run { machine, effects in
      swap(&handlers, &record.handlers)
      guard let number = record.number.take() else { return }
      removed = lane.applicators.remove(number)
      if let transaction = record.transaction as? Transaction {
        machine.answered(transaction, transaction.ticket, .removed, &effects)
      }
      if lane.index == nil { machine.wholeSessionApplicatorRemoved(&effects) }
    }
    withExtendedLifetime((handlers, removed)) {}
  }
}
