// This class is Sendable because the kernel's lock protects its variables. One access needs no
// lock. Events of other transactions do not change `parts` or `failures`. Therefore the thread that
// performs the transaction reads `parts` and `failures` without the lock.
/// A change of one or several parameters. First the `canApply` handlers of the applicators are
/// called. If every `canApply` handler returns true, the `apply` handlers are called one after the
/// other. Finally the transaction commits all values. If an applicator has failed, the transaction
/// usually commits no value.
final class Transaction: @unchecked Sendable {
  /// The purpose of a transaction. The kind decides whether a later value may supersede the
  /// transaction, and whether an interruption may reject the transaction.
  enum Kind {
    /// Applies a value from a caller to one parameter. While the transaction waits, a later value
    /// may replace (supersede) it, and an interruption may reject it.
    case value(isRecommended: Bool)
    /// Applies values from one caller to several parameters. A later value never replaces the
    /// transaction. An interruption may reject the transaction.
    case values
    /// An operation without a value from a caller, such as the synchronization of applicators.
    case maintenance
    /// Resolves an interruption.
    case restore
    /// Switches applicators off. A transaction of the kind `switchOff` starts before the other
    /// waiting transactions of the same parameters. Only a transaction of the kind `restore` that
    /// was submitted earlier starts before the transaction of the kind `switchOff`. While a
    /// transaction of the kind `switchOff` waits, transactions of other parameters can start.
    case switchOff
  }

  enum Stage {
    case waiting, comparing, verifying, calling, awaiting, finishing, notifying, over
  }

  let kind: Kind
  /// The parameters of the transaction, as a bit mask with one bit for each parameter.
  let lanes: UInt64
  /// The parts of the transaction. Each part applies the value of one parameter, or the values of
  /// the whole session. The parts are performed in the order of this array.
  var parts: [ValuePart]
  /// The failed parts that `recovery` has replaced. The values of the replaced parts are released
  /// together with the transaction.
  private var retired: [ValuePart] = []
  /// The parts that are performed once after a failure of the transaction. These parts replace
  /// `parts`. Other transactions of the same parameters start only after the recovery.
  var recovery: [ValuePart]?
  /// Publishes the result, on the thread that performs the transaction.
  let settle: (ParameterError?) -> Void
  var stage = Stage.waiting
  /// The parameters that no other transaction may change while this transaction runs. This bit mask
  /// has one bit for each parameter. If the session has an applicator for the whole session, the
  /// bits of all parameters are 1.
  var claim: UInt64 = 0
  /// The index of the current part in `parts`.
  var position = 0
  /// The number of the last applicator call. An answer to a call with an earlier number is late,
  /// and is ignored.
  var ticket: UInt64 = 0
  var answer: CallAnswer?
  /// The timer of the debounce interval or of the current call's time-out. While a transaction of
  /// the kind `switchOff` waits, `timer` limits the waiting time.
  var timer: ObservationToken?
  /// Passes the answer to the current call to the tracer.
  var report: (@Sendable (CallAnswer) -> Void)?
  /// Cancels the task of the current call.
  var cancelCall: (@Sendable () -> Void)?
  /// True if another transaction has waited for one second to switch applicators off. In this case,
  /// this transaction calls no further applicator. There is an exception if this transaction itself
  /// switches applicators off or resolves an interruption. Such a transaction omits only the second
  /// calls of applicators that did not answer in time.
  var isInterrupted = false
  /// The applicators that have failed, in order.
  private var failures: [(part: ValuePart, applicator: String?, answer: CallAnswer)] = []

  init(
    _ kind: Kind, lanes: UInt64, _ parts: [ValuePart],
    recovery: [ValuePart]? = nil,
    settle: @escaping (ParameterError?) -> Void
  ) {
    self.kind = kind
    self.lanes = lanes
    self.parts = parts
    self.recovery = recovery
    self.settle = settle
  }

  /// The current part: its applicators are being called. First the `canApply` handlers of all parts
  /// are called, and then the `apply` handlers.
  var part: ValuePart { parts[position] }

  /// Replaces the failed parts with the parts of the recovery.
  func replaceParts(with recovery: [ValuePart]) {
    retired = parts
    parts = recovery
  }

  /// Records that the current applicator has failed.
  func recordFailure(_ answer: CallAnswer) {
    failures.append((part, part.applicatorName, answer))
  }

  /// The error of the first applicator that failed, with the names of all applicators that failed.
  /// Nil if no applicator failed.
  func describeFailure() -> ParameterError? {
    guard let first = failures.first else { return nil }
    let names = failures.map { $0.applicator ?? "an applicator without a name" }
    let attempt = Attempt(
      applicator: failures.count > 1 ? names.joined(separator: ", ") : first.applicator,
      describing: first.part.lane.describe(first.part.target))
    return switch first.answer {
    case .failure(let error): .applyFailed(error, attempt)
    case .timedOut: .applyTimeoutExceeded(attempt)
    case .abandoned: .abandoned(attempt)
    case .interrupted: .interrupted
    case .refused, .success, .removed: .cannotApply(attempt)
    }
  }

  /// Passes an event for each changed parameter to the tracer. If the transaction changes several
  /// parameters or no parameter, also passes an event for the session.
  func note(_ kind: TraceEvent.Kind, failure: (any Error)? = nil) {
    for part in parts where part.bit != 0 || parts.count != 2 {
      part.lane.note(kind, part.target, failure: failure)
    }
  }

  /// Whether a transaction that switches applicators off may interrupt the calls of this
  /// transaction after one second.
  var canBeInterrupted: Bool { !isRestore && !parts[0].isIndependent }

  var isRestore: Bool { if case .restore = kind { true } else { false } }

  /// Whether the transaction applies a value from a caller.
  var isValue: Bool { if case .values = kind { true } else { canBeSuperseded } }

  /// Whether the transaction includes the parameter with the index `lane`.
  func claims(_ lane: Int) -> Bool { lanes & 1 << UInt64(lane) != 0 }

  /// Whether a later value of the same parameter may supersede the transaction.
  var canBeSuperseded: Bool { if case .value = kind { true } else { false } }
}
