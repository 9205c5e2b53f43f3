// Values of callers: which are accepted, which wait for others of a burst, and which are being loaded.

// MARK: - Values of callers

extension TransactionMachine {
  /// Why a lane refuses values of callers, if it does.
  func refusal(_ lane: Int) -> ParameterError? {
    if isClosed { return .sessionDeactivated }
    return lanes[lane].isInterrupted ? .interrupted : nil
  }

  /// How long a value of this lane must be debounced; nil: not at all.
  func debounceInterval(_ lane: Int) -> Duration? {
    guard refusal(lane) == nil, case .discrete(let seconds) = lanes[lane].mode else { return nil }
    return Duration.wait(seconds: seconds)
  }

  /// Accepts a caller's value for one lane or several: it supersedes values that are debounced there,
  /// and in the mode `latest` those that wait.
  mutating func accept(_ transaction: Transaction) -> [Effect] {
    for lane in lanes.indices where transaction.claims(lane) {
      if let refusal = refusal(lane) { return [.settle(transaction, refusal)] }
    }
    var effects: [Effect] = []
    for lane in lanes.indices where transaction.claims(lane) {
      count(transaction, on: lane)
      effects += endDebounce(lane, .superseded)
      effects += supersede(lane)
    }
    return effects + submit(transaction)
  }

  private mutating func count(_ transaction: Transaction, on lane: Int) {
    lanes[lane].generation += 1
    if case .value(isRecommended: true) = transaction.kind { return }
    lanes[lane].choices += 1
  }

  /// Submits a value of the session itself, which no interruption refuses and no mode delays.
  mutating func impose(_ transaction: Transaction, on lane: Int) -> [Effect] {
    endDebounce(lane, .superseded) + supersede(lane) + submit(transaction)
  }

  /// In the mode `latest`, ends the values of one parameter that wait.
  private mutating func supersede(_ lane: Int) -> [Effect] {
    guard lanes[lane].mode == .latest else { return [] }
    return waiting.remove { $0.canBeSuperseded && $0.claims(lane) }
      .map { .settle($0, .superseded) }
  }

  /// Refuses values of callers from now on; those that wait fail.
  mutating func refuseValues(_ lane: Int) -> [Effect] {
    lanes[lane].isInterrupted = true
    let refused = waiting.remove { $0.isValue && $0.claims(lane) }
    return endDebounce(lane, .interrupted) + refused.map { .settle($0, .interrupted) }
  }

  /// Accepts values of callers again, unless the session is interrupted or about to be.
  mutating func acceptValues(_ lane: Int) {
    if !interruptions.isActive { lanes[lane].isInterrupted = false }
  }

  /// The transaction that carries the value requested last for a lane; nil if none waits or runs.
  func latestRequest(_ lane: Int) -> Transaction? {
    lanes[lane].debounce?.transaction
      ?? waiting.last { $0.isValue && $0.claims(lane) ? $0 : nil }
      ?? running.last { $0.claims(lane) }
  }

  /// An applicator of the whole session has left: transactions of different lanes are independent
  /// again if it was the last one.
  mutating func wholeSessionApplicatorLeft() -> [Effect] {
    wholeSessionApplicators -= 1
    return startAll()
  }
}

// MARK: - Debounce

extension TransactionMachine {
  /// A value that waits until no other has come for a while.
  struct Debounce: Sendable {
    let transaction: Transaction
    let number: UInt64
    var timer: ObservationToken?
  }

  /// Debounces a value until `deadline`, in place of the one that waits.
  mutating func hold(
    _ transaction: Transaction, on lane: Int, until deadline: Duration
  ) -> [Effect] {
    if let refusal = refusal(lane) { return [.settle(transaction, refusal)] }
    guard case .discrete = lanes[lane].mode else { return accept(transaction) }
    count(transaction, on: lane)
    let effects = endDebounce(lane, .superseded)
    lanes[lane].debounceCount += 1
    let number = lanes[lane].debounceCount
    lanes[lane].debounce = Debounce(transaction: transaction, number: number)
    return effects + [.armDebounce(lane: lane, number: number, deadline)]
  }

  /// Stores the token of a timer; false if the value no longer waits.
  mutating func keep(_ timer: ObservationToken, lane: Int, number: UInt64) -> Bool {
    guard lanes[lane].debounce?.number == number else { return false }
    lanes[lane].debounce?.timer = timer
    return true
  }

  /// The timer has fired.
  mutating func debounceFired(_ lane: Int, number: UInt64) -> [Effect] {
    lanes[lane].debounce?.number == number ? flush(lane) ?? [] : []
  }

  /// Delivers the debounced value now; nil if there is none.
  mutating func flush(_ lane: Int) -> [Effect]? {
    guard let debounce = lanes[lane].debounce.take() else { return nil }
    let effects = supersede(lane) + submit(debounce.transaction)
    return debounce.timer.map { [.cancel($0)] + effects } ?? effects
  }

  /// Ends the wait of a debounced value with an error.
  mutating func endDebounce(_ lane: Int, _ error: ParameterError) -> [Effect] {
    guard let debounce = lanes[lane].debounce.take() else { return [] }
    let settle = Effect.settle(debounce.transaction, error)
    return debounce.timer.map { [.cancel($0), settle] } ?? [settle]
  }

  mutating func setMode(_ lane: Int, _ mode: DeliveryMode) -> [Effect] {
    lanes[lane].mode = mode.normalized
    return lanes[lane].mode == .continuous ? flush(lane) ?? [] : []
  }
}

// MARK: - Loads

extension TransactionMachine {
  /// A value that is being loaded for a lane.
  struct Load: Sendable {
    let number: UInt64
    /// The lane's `generation` when the load began.
    let generation: UInt64
    /// Cancels the load and publishes the error.
    let end: @Sendable (ParameterError) -> Void
  }

  /// Begins a load, which replaces the one under way.
  ///
  /// - Returns: The number of the load; nil if values are refused, with the effect that says so.
  mutating func beginLoad(
    _ lane: Int, _ end: @escaping @Sendable (ParameterError) -> Void
  ) -> (number: UInt64?, effects: [Effect]) {
    if let refusal = refusal(lane) { return (nil, [.tell { end(refusal) }]) }
    let replaced = lanes[lane].load
    lanes[lane].loadCount += 1
    let number = lanes[lane].loadCount
    lanes[lane].load = Load(number: number, generation: lanes[lane].generation, end: end)
    return (number, replaced.map { load in [.tell { load.end(.superseded) }] } ?? [])
  }

  /// Ends a load with a value.
  ///
  /// - Returns: The work to do; nil if a value was accepted since the load began. If another load has
  ///   replaced this one, there is nothing to do.
  mutating func endLoad(
    _ lane: Int, number: UInt64, with transaction: Transaction
  ) -> [Effect]? {
    guard let load = lanes[lane].load, load.number == number else { return [] }
    lanes[lane].load = nil
    return load.generation == lanes[lane].generation ? accept(transaction) : nil
  }

  /// Ends a load without a value; false if another load replaced it.
  mutating func failLoad(_ lane: Int, number: UInt64) -> Bool {
    guard lanes[lane].load?.number == number else { return false }
    lanes[lane].load = nil
    return true
  }
}
