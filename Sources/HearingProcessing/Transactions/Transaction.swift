// Sendable because the variables are only accessed under the kernel's lock; the thread that drives
// the transaction also reads `parts` and `failures`, which only events of this transaction change.
/// One change of one parameter or of several: it asks all applicators, calls them one after the
/// other, and commits all values or none.
final class Transaction: @unchecked Sendable {
  /// The purpose of a transaction; it decides what may overtake or refuse the transaction.
  enum Kind {
    /// A caller's value: a later one may supersede it, and an interruption refuses it.
    case value(isRecommended: Bool)
    /// Values of a caller for several parameters: never superseded, but an interruption refuses
    /// them.
    case values
    /// No value of a caller, such as synchronizing.
    case maintenance
    /// Resolves an interruption.
    case restore
    /// Switches applicators off, before all waiting transactions except earlier ones that resolve
    /// an interruption.
    case switchOff
  }

  enum Stage {
    case waiting, comparing, verifying, calling, awaiting, finishing, notifying, over
  }

  let kind: Kind
  /// The lanes that the transaction claims, one bit each.
  let lanes: UInt64
  /// In the order in which they are applied.
  var parts: [ValuePart]
  /// The parts that the recovery has replaced; their values are released with the transaction.
  private var retired: [ValuePart] = []
  /// Replaces the parts once if the transaction fails; runs before any lane is released.
  var recovery: [ValuePart]?
  /// Publishes the result, on the driving thread.
  let settle: (ParameterError?) -> Void
  var stage = Stage.waiting
  /// The lanes that it holds while it runs.
  var claim: UInt64 = 0
  /// The index of the part whose applicators are being asked or called.
  var position = 0
  /// The number of the last call; earlier answers are late.
  var ticket: UInt64 = 0
  var answer: CallAnswer?
  /// The time by which the current call must be answered; nil: no limit.
  var deadline: Duration?
  var timer: ObservationToken?
  /// Writes the answer of the current call to the event log.
  var report: (@Sendable (CallAnswer) -> Void)?
  /// Cancels the task of the current call.
  var cancelCall: (@Sendable () -> Void)?
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

  /// The part whose applicators are being asked or called.
  var part: ValuePart { parts[position] }

  /// The recovery begins.
  func replaceParts(with recovery: [ValuePart]) {
    retired = parts
    parts = recovery
  }

  /// The current applicator has failed.
  func recordFailure(_ answer: CallAnswer) {
    failures.append((part, part.applicatorName, answer))
  }

  /// The error of the first applicator that failed, with the names of all that failed; nil if none
  /// did.
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
    case .refused, .success, .removed: .cannotApply(attempt)
    }
  }

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
