/// One request to a parameter, with the publisher of its result.
@usableFromInline
struct ParameterRequest<Value: Equatable & Sendable>: Sendable {
  @usableFromInline let target: Target
  @usableFromInline let result: ResultPublisher<Value, ParameterError>
  /// Whether the value comes from a recommendation; any other value is the listener's choice.
  @usableFromInline var isRecommended = false
  /// The update of several parameters that the request is part of.
  @usableFromInline var update: JointUpdate?
  /// Whether the request was counted, and the debounced value was superseded, before the request
  /// joined the session's line.
  var isCounted = false

  /// The value that the applicators should apply.
  @usableFromInline
  enum Target: Sendable {
    /// A value from `apply` or from `applicator(synchronizing:)`.
    case value(Value)
    /// The parameter's value when the sequence begins.
    case current
    /// A value that the session sets while `apply` is refused. `replacing` receives the previous
    /// value.
    case imposed(Value, replacing: @Sendable (Value) -> Void)
    /// The parameter's own value: every applicator that may have a different value applies it
    /// again. A failure does not stop the others. `where` selects the values that must be
    /// replaced; by default, all that differ.
    case reset(Value, where: (@Sendable (Value) -> Bool)? = nil)
    /// No value: an update holds this parameter without changing it.
    case place
  }

  /// - Parameter result: Receives the outcome; by default a new publisher.
  @inlinable
  init(_ target: Target, result: ResultPublisher<Value, ParameterError> = .init()) {
    self.target = target
    self.result = result
  }

  /// Whether it carries a caller's value, which a later one can supersede.
  @inlinable
  var isValue: Bool {
    if case .value = target { true } else { false }
  }

  /// Whether a later value can supersede it; false if its update is one of several parameters.
  @usableFromInline
  var canBeOvertaken: Bool { isValue && update?.isOfOneParameter != false }

  /// Whether the applicators are independent: a failure does not stop the others.
  var isReset: Bool {
    if case .reset = target { true } else { false }
  }

  /// Whether it only holds the parameter for an update.
  var isPlace: Bool {
    if case .place = target { true } else { false }
  }

  /// Whether it carries a value.
  @inlinable
  var hasValue: Bool {
    switch target {
    case .value, .imposed, .reset: true
    case .current, .place: false
    }
  }

  /// The value that it carries, if any.
  var value: Value? {
    switch target {
    case .value(let value), .imposed(let value, _), .reset(let value, _): value
    case .current, .place: nil
    }
  }
}

/// Stored properties of a sequence whose types are built from `Value`.
///
/// Releasing an object of a generic class asks the runtime for the types of its fields each time.
/// The generic arguments of a superclass are found in the object itself. Without this class,
/// releasing a sequence takes longer than creating it.
// Sendable because its only subclass is; the reason is stated there.
@usableFromInline class SequenceStorage<Request: Sendable, Latest: Sendable>: @unchecked Sendable {
  @usableFromInline final let request: Request
  /// The latest value of the applicator to compare; nil: the value is unknown, or no applicator is
  /// left. It is an argument of the current action, like those in the subclass.
  @usableFromInline @safe @exclusivity(unchecked) final var latest: Latest

  @inlinable
  init(request: Request, latest: Latest) {
    self.request = request
    self.latest = latest
  }
}

/// One request in progress: compares each applicator with the value, asks all that are out of date
/// whether they can apply it, then lets each apply it.
// Sendable because the constants are Sendable, and the variables are only accessed under the lock
// of the parameter that runs the sequence or, where stated, by the one thread that drives it.
@usableFromInline
final class ApplicationSequence<Value: Equatable & Sendable>:
  SequenceStorage<ParameterRequest<Value>, Value?>, @unchecked Sendable
{
  @usableFromInline typealias Record = ApplicatorRecord<Value>

  /// Identifies the sequence among all sequences of the parameter, and the value that applicators
  /// apply in it.
  @usableFromInline let number: UInt64
  /// The value that the applicators should apply.
  @usableFromInline let target: Value
  /// The parameter's value when the sequence began.
  @usableFromInline let standing: Value
  /// The applicators that were registered when the sequence began, in order.
  @usableFromInline let applicators: ContiguousArray<Record?>
  /// Whether the applicators are independent: a failure does not stop the others.
  @usableFromInline let continuesAfterFailure: Bool
  /// Which latest values are out of date; nil: all but `target`.
  @usableFromInline let isOutOfDate: (@Sendable (Value) -> Bool)?

  @usableFromInline @safe @exclusivity(unchecked) var stage = Stage.paused
  /// The next index in the current pass over `applicators`.
  @usableFromInline @safe @exclusivity(unchecked) var next = 0
  /// The sequence from which the most recently compared value came, and whether that value is out
  /// of date.
  @usableFromInline @safe @exclusivity(unchecked) var compared:
    (source: UInt64, isOutOfDate: Bool) = (0, false)
  /// Whether `target` differs from `standing`.
  @usableFromInline @safe @exclusivity(unchecked) var changesValue = false
  /// Whether any applicator is out of date.
  @usableFromInline @safe @exclusivity(unchecked) var hasTurns = false
  /// The applicator whose turn it is.
  @usableFromInline @safe @exclusivity(unchecked) var current: Record?
  /// Identifies this call among all calls of the parameter.
  @usableFromInline @safe @exclusivity(unchecked) var ticket: UInt64 = 0
  @usableFromInline @safe @exclusivity(unchecked) var answer: Answer?
  @usableFromInline @safe @exclusivity(unchecked) var timer: ObservationToken?
  /// Why the sequence ended before every applicator had applied.
  @usableFromInline @safe @exclusivity(unchecked) var error: ParameterError?
  /// The previous outcome: retained here so that it is released outside the lock.
  @usableFromInline @safe @exclusivity(unchecked) var displaced: UpdateTracker<Value>.Outcome?

  // Arguments of the current action. Only the driving thread reads them, outside the lock; the
  // machine writes them while that thread runs one of its events.
  /// Whether to compare the target with the parameter's value as well.
  @usableFromInline @safe @exclusivity(unchecked) var isFirst = true
  /// Whether the applicator's value is unknown: its last call timed out or gave no answer.
  @usableFromInline @safe @exclusivity(unchecked) var isUnknown = false
  /// The name of the applicator that failed, and its answer; nil: its `canApply` returned false.
  @usableFromInline @safe @exclusivity(unchecked) var failing: (name: String?, answer: Answer?)?
  @usableFromInline @safe @exclusivity(unchecked) var verify: Record.Verify?
  @usableFromInline @safe @exclusivity(unchecked) var apply: Record.Apply?
  @usableFromInline @safe @exclusivity(unchecked) var timeout: Duration?

  @inlinable
  init(
    _ request: ParameterRequest<Value>, number: UInt64, standing: Value,
    applicators: ContiguousArray<Record?>
  ) {
    self.number = number
    self.standing = standing
    self.applicators = applicators
    switch request.target {
    case .value(let value), .imposed(let value, _):
      (target, continuesAfterFailure, isOutOfDate) = (value, false, nil)
    case .reset(let value, let condition):
      (target, continuesAfterFailure, isOutOfDate) = (value, true, condition)
    case .current, .place:
      (target, continuesAfterFailure, isOutOfDate) = (standing, false, nil)
    }
    super.init(request: request, latest: nil)
  }

  /// Whether the parameter gets a new value at the end.
  @inlinable
  var storesValue: Bool { error == nil && changesValue }

  /// How the sequence ended.
  @inlinable
  var result: Result<Value, ParameterError> { error.map { .failure($0) } ?? .success(target) }

  /// What the sequence does now.
  @usableFromInline
  enum Stage: Sendable {
    /// It is part of an update that has not started it yet or is driving another part.
    case paused
    /// Finding the applicators that are out of date.
    case comparing
    /// Calling their `canApply` handlers.
    case verifying
    /// Running the `apply` handler of one of them.
    case calling
    /// That handler has returned without an answer; the thread that delivers the answer drives.
    case awaiting
    /// It was ended early, by the end of the session.
    case over
  }

  /// Whether it waits for the answer to this call.
  @inlinable
  func awaits(_ ticket: UInt64) -> Bool { stage == .awaiting && self.ticket == ticket }

  /// How an applicator's turn ended.
  @usableFromInline
  enum Answer: Sendable {
    case success
    case failure(any Error)
    case timedOut
    case abandoned
    /// The applicator was removed; its answer is not needed.
    case gone

    /// Whether the sequence continues.
    @inlinable
    var isSuccess: Bool {
      switch self {
      case .success, .gone: true
      case .failure, .timedOut, .abandoned: false
      }
    }

    /// The error that ends the sequence, if one does.
    func error(_ attempt: Attempt) -> ParameterError? {
      switch self {
      case .success, .gone: nil
      case .failure(let error): .applyFailed(error, attempt)
      case .timedOut: .applyTimeoutExceeded(attempt)
      case .abandoned: .abandoned(attempt)
      }
    }
  }

  /// Whether an applicator whose latest value is `latest` is out of date.
  @inlinable
  func concerns(_ latest: Value) -> Bool {
    if let isOutOfDate { return isOutOfDate(latest) }
    return latest != target
  }

  /// The next applicator to compare with the value: one that is registered and has a handler.
  ///
  /// An applicator need not be compared if its value came from the same sequence as the value
  /// compared last: the values are the same.
  @inlinable
  func nextToCompare() -> Record? {
    while next < applicators.count {
      let record = applicators[next]
      next += 1
      guard let record, record.isRegistered, record.handlers.apply != nil else { continue }
      guard record.source != 0, record.source == compared.source else { return record }
      if compared.isOutOfDate { addTurn(record) }
    }
    return nil
  }

  /// The value of `record` was compared with the target.
  @inlinable
  func compared(_ record: Record, isOutOfDate: Bool) {
    compared = (record.source, isOutOfDate)
    if isOutOfDate { addTurn(record) }
  }

  /// Marks `record` as out of date.
  @inlinable
  func addTurn(_ record: Record) {
    record.isOutOfDate = true
    hasTurns = true
  }

  /// The next out-of-date applicator with a `canApply` closure.
  @inlinable
  func nextToVerify() -> Record? {
    while let record = nextOutOfDate() {
      if record.handlers.verify != nil { return record }
    }
    return nil
  }

  /// The next out-of-date applicator with an `apply` closure; its turn begins now.
  @inlinable
  func nextTurn() -> Record? {
    while let record = nextOutOfDate() {
      record.isOutOfDate = false
      if record.handlers.apply != nil { return record }
    }
    return nil
  }

  @inlinable
  func nextOutOfDate() -> Record? {
    while hasTurns, next < applicators.count {
      let record = applicators[next]
      next += 1
      if let record, record.isOutOfDate, record.isRegistered { return record }
    }
    return nil
  }

  /// Ends the sequence early: the remaining applicators are not called.
  @usableFromInline
  func clearTurns() {
    guard hasTurns else { return }
    for record in applicators { record?.isOutOfDate = false }
  }
}
