// This class is Sendable because the kernel's lock protects its variables. Only one access needs no
// lock: the thread that performs the transaction reads `parts` and `failures`. Events of other
// transactions do not change `parts` or `failures`.
/// A change of one or several parameters. The transaction first asks all applicators whether they
/// can apply the values. If all applicators can apply the values, the transaction calls the
/// applicators one after the other. Finally the transaction commits either all values or none.
final class Transaction: @unchecked Sendable {
  /// The purpose of a transaction. The kind decides whether a later value may supersede the
  /// transaction, and whether an interruption may reject the transaction.
  enum Kind {
    /// A value from a caller. A later value may supersede a transaction of the kind `value`, and an
    /// interruption may reject the transaction.
    case value(isRecommended: Bool)
    /// Values for several parameters, from one caller. A later value never supersedes a transaction
    /// of the kind `values`, but an interruption may reject the transaction.
    case values
    /// An operation without a value from a caller, such as the synchronization of applicators.
    case maintenance
    /// Resolves an interruption.
    case restore
    /// Switches applicators off. A transaction that switches applicators off is started before the
    /// other waiting transactions of its lanes. Only an earlier transaction of the kind `restore`
    /// is started before a transaction of the kind `switchOff`. While a transaction of the kind
    /// `switchOff` waits, transactions of other lanes can start.
    case switchOff
  }

  enum Stage {
    case waiting, comparing, verifying, calling, awaiting, finishing, notifying, over
  }

  let kind: Kind
  /// The lanes that the transaction claims, as a bit mask with one bit for each lane.
  let lanes: UInt64
  /// The parts. Their values are applied in this order.
  var parts: [ValuePart]
  /// The failed parts that `recovery` has replaced. The values of the replaced parts are released
  /// together with the transaction.
  private var retired: [ValuePart] = []
  /// If the transaction fails, the parts in `recovery` replace `parts` once, and are performed. The
  /// transaction releases its lanes only after the recovery.
  var recovery: [ValuePart]?
  /// Publishes the result, on the thread that performs the transaction.
  let settle: (ParameterError?) -> Void
  var stage = Stage.waiting
  /// The lanes that are claimed while the transaction runs, as a bit mask with one bit for each
  /// lane. If the session has an applicator for the whole session, all lanes are claimed.
  var claim: UInt64 = 0
  /// The index in `parts` of ``part``.
  var position = 0
  /// The number of the last applicator call. An answer with the number of an earlier call is late
  /// and is ignored.
  var ticket: UInt64 = 0
  var answer: CallAnswer?
  /// The timer of the debounce interval or of the current call's time-out. While a transaction of
  /// the kind `switchOff` waits, `timer` limits the waiting time.
  var timer: ObservationToken?
  /// Writes the answer of the current call to the event log.
  var report: (@Sendable (CallAnswer) -> Void)?
  /// Cancels the task of the current call.
  var cancelCall: (@Sendable () -> Void)?
  /// True if another transaction has waited for one second to switch applicators off. In this case,
  /// this transaction calls no further applicator. If this transaction itself switches applicators
  /// off, or resolves an interruption, it only omits its second round of calls.
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

  /// The part whose applicators are being called. First all `canApply` handlers are called, and
  /// then the `apply` handlers.
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

  /// Writes an event to the event log for each changed parameter. If several parameters change,
  /// also writes an event for the session.
  func note(_ kind: TraceEvent.Kind, failure: (any Error)? = nil) {
    for part in parts where part.bit != 0 || parts.count != 2 {
      part.lane.note(kind, part.target, failure: failure)
    }
  }

  /// Whether a transaction that switches applicators off may interrupt the calls of this
  /// transaction after one second.
  var canBeInterrupted: Bool { !isRestore && !parts[0].isIndependent }

  var isRestore: Bool { if case .restore = kind { true } else { false } }

  /// Whether the transaction contains a caller's value.
  var isValue: Bool { if case .values = kind { true } else { canBeSuperseded } }

  /// Whether the transaction changes this lane.
  func claims(_ lane: Int) -> Bool { lanes & 1 << UInt64(lane) != 0 }

  /// Whether a later value of the same parameter may supersede the transaction.
  var canBeSuperseded: Bool { if case .value = kind { true } else { false } }
}
