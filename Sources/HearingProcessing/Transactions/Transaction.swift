// Sendable because the state is only accessed under the kernel's lock; `parts`, `error` and `ticket`
// are also read by the thread that drives the transaction, and only events of that thread change them.
/// One change of one parameter or of several: it asks all applicators, calls them one after the other,
/// and commits all values or none.
final class Transaction: @unchecked Sendable {
  /// What a transaction is for, which decides who may overtake or refuse it.
  enum Kind {
    /// A caller's value: a later one may supersede it, and an interruption refuses it.
    case value(isRecommended: Bool)
    /// Values of a caller for several parameters: never superseded, but an interruption refuses them.
    case values
    /// No value of a caller, such as synchronizing.
    case maintenance
    /// Resolves an interruption.
    case restore
    /// Switches applicators off: it goes before everything that waits, except for earlier calls that
    /// resolve an interruption.
    case switchOff
  }

  enum Stage {
    case waiting, comparing, verifying, calling, awaiting, finishing, telling, over
  }

  /// An applicator's answer to one call, or what came in its stead.
  enum Answer: Sendable {
    case success
    case failure(any Error)
    /// It cannot apply the value.
    case refused
    case timedOut
    case abandoned
    /// The applicator has left.
    case left
  }

  let kind: Kind
  /// The lanes that the transaction claims, one bit each.
  let lanes: UInt64
  /// In the order in which they apply.
  var parts: [any TransactionPart]
  /// Replaces the parts once if the transaction fails; runs before any lane is released.
  var recovery: [any TransactionPart]?
  /// Publishes the result, on the driving thread.
  let settle: (ParameterError?) -> Void
  var stage = Stage.waiting
  /// The lanes that it holds while it runs.
  var claim: UInt64 = 0
  /// The index of the part whose applicators are being asked or called.
  var position = 0
  /// The number of the last call; earlier answers are late.
  var ticket: UInt64 = 0
  var answer: Answer?
  var timer: ObservationToken?
  /// Writes the answer of the current call to the event log.
  var report: (@Sendable (Answer) -> Void)?
  /// Cancels the task of the current call.
  var cancelCall: (@Sendable () -> Void)?
  var error: ParameterError?

  init(
    _ kind: Kind, lanes: UInt64, _ parts: [any TransactionPart],
    recovery: [any TransactionPart]? = nil,
    settle: @escaping (ParameterError?) -> Void
  ) {
    self.kind = kind
    self.lanes = lanes
    self.parts = parts
    self.recovery = recovery
    self.settle = settle
  }

  /// The part whose applicators are being asked or called.
  var part: any TransactionPart { parts[position] }

  /// Writes to the event log, for each parameter that it changes, and for the session if there are
  /// several.
  func note(_ kind: TraceEvent.Kind, failure: (any Error)? = nil) {
    for part in parts where part.bit != 0 || parts.count != 2 { part.note(kind, failure: failure) }
  }

  var isRestore: Bool { if case .restore = kind { true } else { false } }

  /// Whether it carries a caller's value.
  var isValue: Bool {
    switch kind {
    case .value, .values: true
    case .maintenance, .restore, .switchOff: false
    }
  }

  /// Whether it changes this lane.
  func claims(_ lane: Int) -> Bool { lanes & 1 << UInt64(lane) != 0 }

  /// Whether a later value of the same lane supersedes it.
  var canBeSuperseded: Bool { if case .value = kind { true } else { false } }
}

/// What one parameter, or the session as a whole, has to do in a transaction.
///
/// Called in this order: `begin`, `compare`, `publishApplying`, `nextCheck` and `verify` for each applicator
/// of every part, then `nextCall`, `call` and `answered` for each, then `describeFailure`, `commit`
/// and `conclude`. Functions that are not said to be called under the lock run outside it, on the
/// thread that drives, because they call the app's code.
protocol TransactionPart: AnyObject {
  /// The bit of the part's lane.
  var bit: UInt64 { get }

  /// Whether the transaction turned out to have nothing to do.
  var isIdle: Bool { get }

  /// Whether the part changes its lane's value; known after `compare`.
  var changesValue: Bool { get }

  /// Whether a failure of one applicator leaves the others to be called, and the value to be committed.
  var isIndependent: Bool { get }

  /// Under the lock: reads what the transaction begins with.
  func begin(_ machine: inout TransactionMachine)

  /// Finds the applicators that are out of date; runs the app's `==`.
  func compare()

  /// Under the lock: publishes that applicators are being asked, if there are any.
  func publishApplying() -> Effect?

  /// Under the lock: moves to the next applicator with a check; false if there is none.
  func nextCheck() -> Bool

  /// Runs the check.
  func verify() -> Bool

  /// Under the lock: the applicator cannot apply the value.
  func refused()

  /// Under the lock: moves to the next applicator to call; false if there is none.
  func nextCall(_ transaction: Transaction) -> Bool

  /// How long the call may take; nil: no limit.
  var timeout: Duration? { get }

  /// Calls the applicator.
  func call(_ handler: ResultHandler)

  /// Writes the answer of the call that begins now to the event log; nil if nobody reads it.
  func report(_ scheduler: any DeadlineScheduler) -> (@Sendable (Transaction.Answer) -> Void)?

  /// Under the lock: the call has ended.
  ///
  /// - Returns: What it replaces, to be released outside the lock.
  func answered(_ answer: Transaction.Answer) -> Effect?

  /// The error if an applicator has failed, with a description of the value.
  func describeFailure() -> ParameterError?

  /// Under the lock: stores the value.
  ///
  /// - Returns: What tells the subscribers, outside the lock.
  func commit(_ machine: inout TransactionMachine) -> [Effect]

  /// Under the lock: the transaction has ended for this part's lane.
  func conclude(_ error: ParameterError?, _ machine: inout TransactionMachine) -> Effect?

  /// Releases the applicators' records; the transaction is over.
  func discard()

  /// Writes the part's value into the values of the session.
  func write(to values: inout SessionValues)

  /// Writes to the event log of the part's lane.
  func note(_ kind: TraceEvent.Kind, failure: (any Error)?)
}
