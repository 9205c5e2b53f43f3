/// Owns the lock of one parameter, or the common lock of all parameters of a session. Outside the
/// lock, the kernel performs the work that `TransactionMachine` returns.
///
/// Work in progress retains the kernel, because the app may release all parameters before the work
/// ends.
final class Kernel: CallOwner {
  let scheduler: any DeadlineScheduler
  /// Creates a transaction that applies `false` to every applicator that may have applied `true`.
  /// The closure is called while the session is interrupted. The closure is nil if the parameter
  /// does not belong to a session.
  let makeSwitchOff: (@Sendable () -> Transaction)?
  private let machine: Lock<TransactionMachine>

  /// The maximum number of other transactions that one call of `drive` performs after the caller's
  /// transaction.
  private static let maximumFurtherTransactions = 32

  /// The maximum time that a transaction waits before it switches applicators off. During this
  /// time, other transactions may finish their calls of applicators.
  private static let maximumDelay = Duration.seconds(1)

  init(
    scheduler: any DeadlineScheduler, laneCount: Int = 1,
    makeSwitchOff: (@Sendable () -> Transaction)? = nil
  ) {
    self.scheduler = scheduler
    self.makeSwitchOff = makeSwitchOff
    machine = Lock(TransactionMachine(laneCount: laneCount))
  }

  /// Runs `body` under the kernel's lock. `body` must not call the app's code.
  func withLock<Result: Sendable>(_ body: (inout TransactionMachine) -> Result) -> Result {
    machine.withLock(body)
  }

  /// An event of the `TransactionMachine`: a closure that changes the machine, and appends the
  /// resulting work to the list of effects.
  typealias Event = (inout TransactionMachine, inout [Effect]) -> Void

  /// Handles an event under the lock, then performs the resulting effects on the calling thread.
  func run(_ event: Event) {
    var effects: [Effect] = []
    withLock { event(&$0, &effects) }
    drive(consume effects)
  }

  // MARK: Driving

  /// Performs `effects`, and all effects that result from `effects`. Transactions are performed one
  /// after the other, in the order in which they started. The calling thread performs the caller's
  /// transaction and up to 32 other transactions. If more transactions have started, a background
  /// thread of this package performs the remaining transactions.
  func drive(_ effects: consuming [Effect]) {
    var effects = effects
    // The effects in reverse order: the next effect is the last element.
    var remaining: [Effect] = []
    // The effects that start a transaction.
    var starting = FIFO<Effect>()
    var begun = 0
    while true {
      for effect in effects.reversed() where !effect.startsTransaction { remaining.append(effect) }
      for effect in effects where effect.startsTransaction { starting.append(effect) }
      effects.removeAll(keepingCapacity: true)
      guard let effect = remaining.popLast() ?? starting.popFirst() else { return }
      if effect.startsTransaction {
        if begun > Self.maximumFurtherTransactions {
          let unfinished = [effect] + starting.removeAll()
          return LibraryThread.run { [self] in drive(unfinished) }
        }
        begun += 1
      }
      perform(effect, &effects)
    }
  }

  private func perform(_ effect: Effect, _ effects: inout [Effect]) {
    switch effect {
    case .compare(let transaction), .recover(let transaction):
      transaction.note(.sequenceBegan)
      for part in transaction.parts { part.compare() }
      withLock { $0.compared(transaction, &effects) }
    case .verify(let transaction, let check):
      let canApply = check()
      withLock { $0.verified(transaction, canApply, &effects) }
    case .call(let transaction, let call):
      perform(call, of: transaction, &effects)
    case .finish(let transaction):
      let error = transaction.describeFailure()
      withLock { $0.conclude(transaction, error, &effects) }
    case .complete(let transaction, let error):
      transaction.settle(error)
      transaction.note(.sequenceEnded, failure: error)
      for part in transaction.parts { part.discard() }
      withLock { $0.release(transaction, &effects) }
    case .settle(let transaction, let error):
      transaction.settle(error)
    case .discard(let transaction):
      for part in transaction.parts { part.discard() }
    case .arm(let transaction, let ticket, let deadline):
      let timer = scheduler.schedule(at: deadline ?? scheduler.now + Self.maximumDelay) { [self] in
        run { $0.timerFired(transaction, ticket, &$1) }
      }
      if !withLock({ $0.store(timer, transaction, ticket) }) { timer.cancel() }
    case .cancel(let token):
      token.cancel()
    case .notify(let work):
      work()
    case .release:
      break
    }
  }

  private func perform(
    _ call: ApplicatorCall, of transaction: Transaction, _ effects: inout [Effect]
  ) {
    let report = transaction.part.lane.report(call, scheduler)
    if let report { withLock { _ in transaction.report = report } }
    // The time-out is measured from a time before the call of the handler.
    let deadline = call.timeout.map { scheduler.now + $0 }
    call.apply(
      call.value,
      ResultHandler(owner: self, transaction: transaction, ticket: call.ticket, report: report))
    withLock { $0.returned(transaction, call.ticket, deadline: deadline, &effects) }
  }

  // MARK: Answers

  /// Handles the answer to a call, or the release of a `ResultHandler` without an answer.
  func answered(_ transaction: Box, _ ticket: UInt64, _ answer: CallAnswer) {
    guard let transaction = transaction as? Transaction else { return }
    run { $0.answered(transaction, ticket, answer, &$1) }
  }

  func onCancel(
    _ transaction: Box, _ ticket: UInt64, _ cancel: @escaping @Sendable () -> Void
  ) {
    guard let transaction = transaction as? Transaction else { return }
    let isPending = withLock { machine in
      guard machine.isPending(transaction, ticket) else { return false }
      transaction.cancelCall = cancel
      return true
    }
    if !isPending { cancel() }
  }
}
