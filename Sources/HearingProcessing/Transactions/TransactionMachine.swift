/// The transactions of a `Kernel`, as a state machine. The machine stores which transactions wait,
/// which transactions run, and what the applicators answered.
///
/// The kernel calls the methods of the machine under its lock. A method appends the resulting work
/// to `effects`, and the kernel performs this work outside the lock. The methods never call code of
/// the app. Replaced values and closures of the app are also appended to `effects`, so that the
/// kernel releases these values and closures outside the lock.
///
/// Each parameter is one lane of the machine. A transaction claims the lanes of its parameters. A
/// transaction waits while a running transaction, or a transaction that was submitted earlier,
/// claims one of the same lanes. A transaction that switches applicators off waits only for running
/// transactions.
struct TransactionMachine: Sendable {
  /// The state of each parameter, without the parameter's values.
  var lanes: [LaneState]
  var interruptions = Interruptions()
  /// The number of applicators for the whole session. If at least one applicator for the whole
  /// session exists, every transaction claims the lanes of all parameters.
  var wholeSessionApplicators = 0
  private(set) var isClosed = false

  var waiting = FIFO<Transaction>()
  /// The transactions in `waitingNext` start before the transactions in `waiting`. `waitingNext`
  /// contains transactions that switch applicators off, and transactions that were submitted
  /// earlier and resolve an interruption.
  private var waitingNext = FIFO<Transaction>()
  var running: [Transaction] = []
  /// The lanes (parameters) that running transactions claim, as a bit mask with one bit for each
  /// lane.
  private var busy: UInt64 = 0

  init(laneCount: Int) {
    lanes = Array(repeating: LaneState(), count: laneCount)
  }

  struct LaneState: Sendable {
    var mode = DeliveryMode.continuous
    /// Whether the parameter rejects values from the app while an interruption is active. The first
    /// interruption sets this property of the parameter `isEnabled` to true.
    var isRefusedByInterruptions = false
    /// The transaction of a value that waits for the end of its debounce interval.
    var debounced: Transaction?
    var load: Load?
    /// The number of requests: accepted values, and loads that have begun.
    var requests: UInt64 = 0
    /// The request number of the last accepted value. A loaded value is rejected if another value
    /// was accepted after the load began.
    var lastValue: UInt64 = 0
    /// The request number of the app's last accepted request. Recommended values are not requests
    /// of the app.
    var lastChoice: UInt64 = 0
  }

  /// A bit mask with one bit for each lane. All bits are 1.
  var allLanes: UInt64 { 1 << UInt64(lanes.count) - 1 }

  // MARK: Starting

  /// Adds a transaction. Starts the transaction if it need not wait for another transaction.
  mutating func submit(_ transaction: Transaction, _ effects: inout [Effect]) {
    if isClosed { return effects.append(.settle(transaction, .sessionDeactivated)) }
    if case .switchOff = transaction.kind {
      // Calls of `interrupt` and `resolve` are performed in the order of the calls. Therefore
      // waiting transactions that resolve an interruption start before this transaction.
      for restore in waiting.remove(where: { $0.isRestore }) { waitingNext.append(restore) }
      waitingNext.append(transaction)
    } else {
      waiting.append(transaction)
    }
    startAll(&effects)
    if case .switchOff = transaction.kind, transaction.stage == .waiting {
      effects.append(.arm(transaction, ticket: transaction.ticket, deadline: nil))
    }
  }

  /// Ends a waiting transaction, and publishes `error` as its result.
  func reject(_ transaction: Transaction, _ error: ParameterError, _ effects: inout [Effect]) {
    transaction.stage = .over
    if let timer = transaction.timer.take() { effects.append(.cancel(timer)) }
    effects.append(.settle(transaction, error))
  }

  /// Interrupts the running transactions that block the waiting transaction `switchOff`. The
  /// pending call of an interrupted transaction ends without an answer, and the transaction calls
  /// no further applicator. A transaction that resolves an interruption is never interrupted. A
  /// transaction that switches applicators off calls an applicator a second time if the applicator
  /// does not answer. Only these second calls are interrupted.
  private func interruptRunning(for switchOff: Transaction, _ effects: inout [Effect]) {
    let lanes = wholeSessionApplicators > 0 ? allLanes : switchOff.lanes
    for transaction in running where transaction.claim & lanes != 0 {
      transaction.isInterrupted = true
      if transaction.parts.contains(where: \.isSecondRound) {
        answered(transaction, transaction.ticket, .timedOut, &effects)
      } else if transaction.canBeInterrupted {
        answered(transaction, transaction.ticket, .interrupted, &effects)
      }
    }
  }

  /// Starts every waiting transaction that can start.
  mutating func startAll(_ effects: inout [Effect]) {
    let (all, claimsAll) = (allLanes, wholeSessionApplicators > 0)
    var claimed = busy
    /// Whether a transaction can start. If all lanes are claimed, returns nil to end the search,
    /// because no further transaction can start.
    func starts(_ transaction: Transaction) -> Bool? {
      guard claimed != all else { return nil }
      transaction.claim = claimsAll ? all : transaction.lanes
      defer { claimed |= transaction.claim }
      return transaction.claim & claimed == 0
    }
    var starting = waitingNext.remove(where: starts)
    starting += waiting.remove(where: starts)
    for transaction in starting {
      busy |= transaction.claim
      running.append(transaction)
      if let timer = transaction.timer.take() { effects.append(.cancel(timer)) }
      begin(transaction)
      effects.append(.compare(transaction))
    }
  }

  private func begin(_ transaction: Transaction) {
    transaction.stage = .comparing
    transaction.position = 0
    for part in transaction.parts { part.begin(interruptions) }
  }

  // MARK: The stages of a transaction

  /// Continues a transaction after the search for the applicators that must be called.
  mutating func compared(_ transaction: Transaction, _ effects: inout [Effect]) {
    guard transaction.stage == .comparing else { return }
    transaction.stage = .verifying
    for part in transaction.parts {
      if let status = part.publishApplying() { effects.append(.notify(status)) }
    }
    nextCheck(transaction, &effects)
  }

  private func nextCheck(_ transaction: Transaction, _ effects: inout [Effect]) {
    while transaction.position < transaction.parts.count {
      if let check = transaction.part.nextCheck() {
        return effects.append(.verify(transaction, check))
      }
      transaction.position += 1
    }
    transaction.position = 0
    nextCall(transaction, &effects)
  }

  /// Handles the result of an applicator's `canApply` handler.
  mutating func verified(
    _ transaction: Transaction, _ canApply: Bool, _ effects: inout [Effect]
  ) {
    guard transaction.stage == .verifying else { return }
    if !canApply {
      transaction.recordFailure(.refused)
      transaction.part.refused()
      guard transaction.part.isIndependent else { return finish(transaction, &effects) }
    }
    nextCheck(transaction, &effects)
  }

  private func nextCall(_ transaction: Transaction, _ effects: inout [Effect]) {
    while true {
      if transaction.position == transaction.parts.count {
        guard let first = transaction.parts.firstIndex(where: { $0.beginSecondRound() }) else {
          break
        }
        transaction.position = first
      }
      if transaction.isInterrupted, transaction.canBeInterrupted {
        transaction.recordFailure(.interrupted)
        break
      }
      if let call = transaction.part.nextCall(transaction, ticket: transaction.ticket + 1) {
        if transaction.isInterrupted, transaction.part.isSecondRound {
          // The second call of this applicator is omitted. The transaction that is waiting to
          // switch applicators off will call this applicator, after the applicators that answer.
          transaction.recordFailure(.timedOut)
          endCall(transaction, .timedOut, &effects)
          continue
        }
        transaction.stage = .calling
        transaction.ticket = call.ticket
        transaction.answer = nil
        return effects.append(.call(transaction, call))
      }
      transaction.position += 1
    }
    finish(transaction, &effects)
  }

  private func finish(_ transaction: Transaction, _ effects: inout [Effect]) {
    transaction.stage = .finishing
    effects.append(.finish(transaction))
  }

  /// Continues a transaction after an `apply` handler has returned.
  mutating func returned(
    _ transaction: Transaction, _ ticket: UInt64, deadline: Duration?, _ effects: inout [Effect]
  ) {
    guard transaction.ticket == ticket, transaction.stage == .calling else { return }
    if transaction.answer != nil { return react(transaction, &effects) }
    transaction.stage = .awaiting
    if let deadline {
      effects.append(.arm(transaction, ticket: ticket, deadline: deadline))
    }
  }

  /// Handles an applicator's answer, or the end of a call without an answer. An answer that arrives
  /// before the `apply` handler returns is processed when the handler returns.
  func answered(
    _ transaction: Transaction, _ ticket: UInt64, _ answer: CallAnswer,
    _ effects: inout [Effect]
  ) {
    guard isPending(transaction, ticket) else { return }
    transaction.answer = answer
    if transaction.stage == .awaiting { react(transaction, &effects) }
  }

  /// Whether the call with the number `ticket` is still waiting for its answer.
  func isPending(_ transaction: Transaction, _ ticket: UInt64) -> Bool {
    transaction.ticket == ticket && transaction.answer == nil
      && (transaction.stage == .calling || transaction.stage == .awaiting)
  }

  /// Continues a transaction after the answer to a call.
  private func react(_ transaction: Transaction, _ effects: inout [Effect]) {
    guard let answer = transaction.answer else { return }
    if answer.isFailure, !transaction.part.postpones(answer) { transaction.recordFailure(answer) }
    endCall(transaction, answer, &effects)
    if answer.isFailure && !transaction.part.isIndependent { return finish(transaction, &effects) }
    nextCall(transaction, &effects)
  }

  /// Ends the current applicator call of a transaction.
  private func endCall(
    _ transaction: Transaction, _ answer: CallAnswer, _ effects: inout [Effect]
  ) {
    if let released = transaction.part.answered(answer) { effects.append(.release(released)) }
    if let timer = transaction.timer.take() { effects.append(.cancel(timer)) }
    if let cancel = transaction.cancelCall.take() {
      switch answer {
      case .success, .failure, .refused: effects.append(.release(cancel))
      case .timedOut, .abandoned, .removed, .interrupted: effects.append(.notify(cancel))
      }
    }
    if let report = transaction.report.take() {
      if case .timedOut = answer {
        effects.append(.notify { report(.timedOut) })
      } else {
        effects.append(.release(report))
      }
    }
  }

  /// Stores the timer of a transaction. Returns false if the transaction no longer needs the timer.
  /// A transaction needs a timer while it waits to start, and while it waits for the answer to the
  /// call with the number `ticket`.
  func store(_ timer: ObservationToken, _ transaction: Transaction, _ ticket: UInt64) -> Bool {
    guard transaction.ticket == ticket,
      transaction.stage == .waiting || transaction.stage == .awaiting
    else { return false }
    transaction.timer = timer
    return true
  }

  /// Handles the end of the timer of a transaction. The timer has measured a debounce interval, the
  /// time-out of a call, or the maximum wait before applicators are switched off.
  mutating func timerFired(
    _ transaction: Transaction, _ ticket: UInt64, _ effects: inout [Effect]
  ) {
    if let lane = lanes.firstIndex(where: { $0.debounced === transaction }) {
      flush(lane, &effects)
    } else if case .switchOff = transaction.kind, transaction.stage == .waiting {
      interruptRunning(for: transaction, &effects)
    } else {
      answered(transaction, ticket, .timedOut, &effects)
    }
  }

  // MARK: Ending

  /// Commits the values if no applicator failed. A transaction that switches applicators off
  /// commits its values even after a failure. If any other transaction fails and has a recovery,
  /// the recovery begins. Without a recovery, the failed transaction ends with an error.
  ///
  /// - Parameter error: The error that describes all failed applicators. Nil if no applicator has
  ///   failed.
  mutating func conclude(
    _ transaction: Transaction, _ error: ParameterError?, _ effects: inout [Effect]
  ) {
    guard transaction.stage == .finishing else { return }
    if error != nil, let recovery = transaction.recovery.take() {
      end(transaction, error, &effects)
      transaction.replaceParts(with: recovery)
      begin(transaction)
      return effects.append(.recover(transaction))
    }
    transaction.stage = .notifying
    if error == nil || transaction.parts.allSatisfy(\.isIndependent) {
      var notices: [Notice] = []
      for part in transaction.parts {
        // The part of the whole session is the last part. However, the subscribers to the values of
        // the whole session are notified first.
        part.commit(&interruptions, &notices, at: part.bit == 0 ? 0 : notices.count)
      }
      effects.notify(notices)
    }
    end(transaction, error, &effects)
    effects.append(.complete(transaction, error))
  }

  /// Ends the current parts of a transaction, and updates the status of the parameters of these
  /// parts.
  private mutating func end(
    _ transaction: Transaction, _ error: ParameterError?, _ effects: inout [Effect]
  ) {
    for part in transaction.parts {
      effects.notify(part.conclude(error, &interruptions, progress(part.lane.index)))
    }
  }

  /// Whether a parameter is loading a value, and whether a debounced value is waiting.
  func progress(_ lane: Int?) -> LaneProgress {
    guard let lane else { return (false, false) }
    return (lanes[lane].load != nil, lanes[lane].debounced != nil)
  }

  /// Ends a transaction after its result was published. Other transactions can now change the same
  /// parameters.
  mutating func release(_ transaction: Transaction, _ effects: inout [Effect]) {
    guard transaction.stage == .notifying else { return }
    transaction.stage = .over
    busy &= ~transaction.claim
    running.removeAll { $0 === transaction }
    startAll(&effects)
  }

  /// Closes the machine. All current and later transactions fail with `sessionDeactivated`.
  mutating func close(_ effects: inout [Effect]) {
    guard !isClosed else { return }
    isClosed = true
    let debounced = lanes.indices.compactMap { lanes[$0].debounced.take() }
    let loads = lanes.indices.compactMap { lanes[$0].load.take() }
    for transaction in running where transaction.stage != .notifying {
      if transaction.stage == .calling || transaction.stage == .awaiting {
        endCall(transaction, transaction.answer ?? .abandoned, &effects)
      }
      // In the stage `awaiting`, no thread uses the parts of the transaction. Therefore the parts
      // can be discarded now. In every other stage, a thread may still use the parts.
      if transaction.stage == .awaiting { effects.append(.discard(transaction)) }
      transaction.stage = .over
      end(transaction, .sessionDeactivated, &effects)
      effects.append(.settle(transaction, .sessionDeactivated))
    }
    for transaction in waitingNext.removeAll() + waiting.removeAll() {
      reject(transaction, .sessionDeactivated, &effects)
    }
    for transaction in debounced {
      end(transaction, .sessionDeactivated, &effects)
      reject(transaction, .sessionDeactivated, &effects)
    }
    for load in loads {
      let lane = load.lane
      effects.notify(
        lane.end(lane.current, .sessionDeactivated, isLoad: true, (false, false)))
      effects.append(.notify { load.end(.sessionDeactivated) })
    }
  }
}
