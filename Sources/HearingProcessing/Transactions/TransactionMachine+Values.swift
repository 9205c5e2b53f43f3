// The functions that accept, debounce and load values.

// MARK: - Values of callers

extension TransactionMachine {
  /// The error with which a parameter rejects values from callers, or nil if the parameter accepts
  /// values.
  func refusal(_ lane: Int) -> ParameterError? {
    if isClosed { return .sessionDeactivated }
    let isRefused = lanes[lane].isRefusedByInterruptions && interruptions.isActive
    return isRefused ? .interrupted : nil
  }

  /// The debounce interval of this parameter. Nil means that values are not debounced.
  func debounceInterval(_ lane: Int) -> Duration? {
    guard refusal(lane) == nil, case .discrete(let seconds) = lanes[lane].mode else { return nil }
    return Duration.wait(seconds: seconds)
  }

  /// Accepts new values for one or several parameters. The new values supersede the debounced
  /// values of the changed parameters. If the mode of a parameter is `latest`, the waiting values
  /// of this parameter are also superseded.
  ///
  /// - Parameter load: The number of the load that delivered the value, or nil if the value was not
  ///   loaded.
  mutating func accept(_ transaction: Transaction, load: UInt64? = nil, _ effects: inout [Effect]) {
    for lane in lanes.indices where transaction.claims(lane) {
      if let refusal = refusal(lane) { return effects.append(.settle(transaction, refusal)) }
    }
    for lane in lanes.indices where transaction.claims(lane) {
      count(transaction, on: lane, load: load)
      supersede(lane, &effects)
    }
    submit(transaction, &effects)
  }

  /// Gives the next request number to an accepted value. For a loaded value, `lastChoice` becomes
  /// the number of the load, because the app requested the value when the load began.
  private mutating func count(_ transaction: Transaction, on lane: Int, load: UInt64? = nil) {
    lanes[lane].requests += 1
    lanes[lane].lastValue = lanes[lane].requests
    if case .value(isRecommended: true) = transaction.kind { return }
    lanes[lane].lastChoice = load ?? lanes[lane].requests
  }

  /// Submits a value that the session itself sets. Interruptions do not reject this value, and
  /// delivery modes do not delay this value.
  mutating func impose(
    _ transaction: Transaction, on lane: Int, _ effects: inout [Effect]
  ) {
    supersede(lane, &effects)
    submit(transaction, &effects)
  }

  /// Removes the debounced value of a parameter, which fails with the error `superseded`. In the
  /// mode `latest`, also removes the waiting transactions that change only this parameter. These
  /// transactions fail with the same error.
  private mutating func supersede(_ lane: Int, _ effects: inout [Effect]) {
    endDebounce(lane, .superseded, &effects)
    guard lanes[lane].mode == .latest else { return }
    for transaction in waiting.remove(where: { $0.canBeSuperseded && $0.claims(lane) }) {
      reject(transaction, .superseded, &effects)
    }
  }

  /// Makes the parameter reject values from callers while an interruption is active. Values that
  /// are already waiting fail with the error `interrupted`.
  mutating func refuseValues(_ lane: Int, _ effects: inout [Effect]) {
    lanes[lane].isRefusedByInterruptions = true
    endDebounce(lane, .interrupted, &effects)
    for transaction in waiting.remove(where: { $0.isValue && $0.claims(lane) }) {
      reject(transaction, .interrupted, &effects)
    }
  }

  /// Returns the transaction that contains the last requested value of a parameter. Returns nil if
  /// no transaction of this parameter waits or runs.
  func latestRequest(_ lane: Int) -> Transaction? {
    lanes[lane].debounced
      ?? waiting.last { $0.isValue && $0.claims(lane) }
      ?? running.last { $0.claims(lane) }
  }

  /// Handles the removal of an applicator of the whole session. When no applicator of the whole
  /// session remains, transactions of different parameters can run at the same time again.
  mutating func wholeSessionApplicatorRemoved(_ effects: inout [Effect]) {
    wholeSessionApplicators -= 1
    startAll(&effects)
  }
}

// MARK: - Debounce

extension TransactionMachine {
  /// Debounces a value: the value waits until `deadline`. The new value replaces a debounced value
  /// that is already waiting.
  mutating func hold(
    _ transaction: Transaction, on lane: Int, until deadline: Duration,
    _ effects: inout [Effect]
  ) {
    if let refusal = refusal(lane) { return effects.append(.settle(transaction, refusal)) }
    guard case .discrete = lanes[lane].mode else { return accept(transaction, &effects) }
    count(transaction, on: lane)
    endDebounce(lane, .superseded, &effects)
    lanes[lane].debounced = transaction
    effects.append(.arm(transaction, ticket: transaction.ticket, deadline: deadline))
  }

  /// Delivers the debounced value now. Returns false if there is no debounced value.
  @discardableResult
  mutating func flush(_ lane: Int, _ effects: inout [Effect]) -> Bool {
    guard let transaction = lanes[lane].debounced.take() else { return false }
    if let timer = transaction.timer.take() { effects.append(.cancel(timer)) }
    supersede(lane, &effects)
    submit(transaction, &effects)
    return true
  }

  /// Removes the debounced value of a parameter, and publishes `error` as its result. Does nothing
  /// if there is no debounced value.
  private mutating func endDebounce(
    _ lane: Int, _ error: ParameterError, _ effects: inout [Effect]
  ) {
    if let transaction = lanes[lane].debounced.take() { reject(transaction, error, &effects) }
  }

  mutating func setMode(_ lane: Int, _ mode: DeliveryMode, _ effects: inout [Effect]) {
    lanes[lane].mode = mode.normalized
    if lanes[lane].mode == .continuous { flush(lane, &effects) }
  }
}

// MARK: - Loads

extension TransactionMachine {
  /// A running load of a value for a parameter.
  struct Load: Sendable {
    /// The request number of the load. The accepted values and the loads of a parameter are
    /// numbered in one common order.
    let number: UInt64
    let lane: any AnyLane
    /// Cancels the load, and publishes the error.
    let end: @Sendable (ParameterError) -> Void
  }

  /// Begins a load. The new load replaces a running load.
  ///
  /// - Returns: The number of the load, or nil if the parameter rejects values.
  mutating func beginLoad(
    _ lane: any AnyLane, _ effects: inout [Effect],
    _ end: @escaping @Sendable (ParameterError) -> Void
  ) -> UInt64? {
    let index = lane.index ?? 0
    if let refusal = refusal(index) {
      effects.append(.notify { end(refusal) })
      return nil
    }
    if let replaced = lanes[index].load { effects.append(.notify { replaced.end(.superseded) }) }
    lanes[index].requests += 1
    lanes[index].load = Load(number: lanes[index].requests, lane: lane, end: end)
    return lanes[index].requests
  }

  /// Ends a load that delivered a value.
  ///
  /// - Returns: True if the loaded value was accepted. The result is false if another value was
  ///   accepted after the load began. The result is nil if another load has replaced this load.
  mutating func endLoad(
    _ lane: Int, number: UInt64, with transaction: Transaction, _ effects: inout [Effect]
  ) -> Bool? {
    guard let load = lanes[lane].load, load.number == number else { return nil }
    effects.append(.release(load.end))
    lanes[lane].load = nil
    guard lanes[lane].lastValue < number else {
      effects.append(.settle(transaction, .superseded))
      return false
    }
    accept(transaction, load: number, &effects)
    return true
  }

  /// Ends a load that failed. Returns false if another load has replaced this load.
  mutating func failLoad(_ lane: Int, number: UInt64) -> Bool {
    guard lanes[lane].load?.number == number else { return false }
    lanes[lane].load = nil
    return true
  }
}
