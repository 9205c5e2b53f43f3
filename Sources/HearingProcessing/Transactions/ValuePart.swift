/// The applicators of one lane in a transaction, and the value that they should apply. Its subclasses
/// decide on the value, on who is out of date, and on what is committed.
class ValuePart<Value: Equatable & Sendable>: TransactionPart {
  typealias Record = ApplicatorRecord<Value>

  let lane: Lane<Value>
  /// The value that the applicators should apply.
  private(set) var target: Value
  /// The lane's value when the transaction began.
  private(set) var standing: Value
  /// Whether the target differs from the lane's value.
  private(set) var changesValue = false

  private var applicators: OrderedList<Record>.Entries = []
  /// The out-of-date applicators.
  private var pending: [Record] = []
  private var index = 0
  /// The indices of those that cannot apply the value.
  private var refusing: Set<Int> = []
  /// Values to release outside the lock.
  private var displaced: [Value] = []
  private var current: Record?
  private var verifyCurrent: (@Sendable (Value) -> Bool)?
  private var callCurrent: (@Sendable (Value, ResultHandler) -> Void)?
  private(set) var timeout: Duration?
  private var failures: [(applicator: String?, answer: Transaction.Answer)] = []

  /// - Parameter target: The value to apply; nil: the lane's value when the transaction begins.
  init(_ lane: Lane<Value>, target: Value? = nil, lifetime: ObservationToken? = nil) {
    self.lane = lane
    self.lifetime = lifetime
    standing = lane.values.value
    self.target = target ?? standing
    hasOwnTarget = target != nil
  }

  private let hasOwnTarget: Bool
  /// Keeps the lane's publishers going until the transaction is over.
  private var lifetime: ObservationToken?

  /// Under the lock: the value to apply.
  func choose(_ machine: inout TransactionMachine) -> Value {
    hasOwnTarget ? target : standing
  }

  /// Whether the applicator must be called.
  func isOutOfDate(_ record: Record) -> Bool {
    guard let latest = record.latest else { return true }
    return latest != target
  }

  var isIdle: Bool { false }

  var isIndependent: Bool { false }

  var bit: UInt64 { lane.bit }

  func write(to values: inout SessionValues) {
    lane.write?(target, &values)
  }

  func note(_ kind: TraceEvent.Kind, failure: (any Error)?) {
    lane.note(kind, target, failure: failure)
  }

  // MARK: Finding the applicators

  func begin(_ machine: inout TransactionMachine) {
    displaced = [standing, target]
    standing = lane.values.value
    target = choose(&machine)
    applicators = lane.applicators.entries
  }

  func compare() {
    displaced = []
    changesValue = standing != target
    for entry in applicators where !isIdle {
      if let record = entry.element, isOutOfDate(record) { pending.append(record) }
    }
    applicators = []
  }

  func publishApplying() -> Effect? {
    pending.contains(where: \.isReady) ? lane.beginApplying(target) : nil
  }

  // MARK: Asking

  func nextCheck() -> Bool {
    while index < pending.count {
      let record = pending[index]
      index += 1
      guard record.isReady, let verify = record.handlers.verify else { continue }
      (current, verifyCurrent) = (record, verify)
      return true
    }
    index = 0
    return false
  }

  func verify() -> Bool {
    verifyCurrent.take()?(target) ?? true
  }

  func refused() {
    failures.append((current?.name, .refused))
    refusing.insert(index - 1)
  }

  // MARK: Calling

  func nextCall(_ transaction: Transaction) -> Bool {
    while index < pending.count {
      defer { index += 1 }
      let record = pending[index]
      guard record.isReady, let apply = record.handlers.apply, !refusing.contains(index) else {
        continue
      }
      (current, callCurrent, timeout) = (record, apply, record.handlers.timeout)
      record.transaction = transaction
      return true
    }
    current = nil
    return false
  }

  func call(_ handler: ResultHandler) {
    callCurrent.take()?(target, handler)
  }

  func report(_ scheduler: any DeadlineScheduler) -> (@Sendable (Transaction.Answer) -> Void)? {
    guard lane.isTraced else { return nil }
    let (begin, value, name) = (scheduler.now, target, current?.name)
    return { [lane] answer in
      switch answer {
      case .success:
        lane.note(
          .applicatorAnswered, value, applicator: name, duration: scheduler.now - begin)
      case .failure(let error):
        lane.note(
          .applicatorAnswered, value, applicator: name, duration: scheduler.now - begin,
          failure: error)
      case .timedOut:
        lane.note(.timedOut, applicator: name)
      case .abandoned, .left, .refused:
        break
      }
    }
  }

  func answered(_ answer: Transaction.Answer) -> Effect? {
    guard let record = current.take() else { return nil }
    record.transaction = nil
    switch answer {
    case .success:
      return record.record(target).map { .release($0) }
    case .failure, .refused:
      failures.append((record.name, answer))
      return nil
    case .timedOut, .abandoned:
      failures.append((record.name, answer))
      return record.forget().map { .release($0) }
    case .left:
      return record.forget().map { .release($0) }
    }
  }

  func describeFailure() -> ParameterError? {
    guard let first = failures.first else { return nil }
    let names = failures.map { $0.applicator ?? "an applicator without a name" }
    let attempt = Attempt(
      applicator: failures.count > 1 ? names.joined(separator: ", ") : first.applicator,
      describing: target)
    return switch first.answer {
    case .failure(let error): .applyFailed(error, attempt)
    case .timedOut: .applyTimeoutExceeded(attempt)
    case .abandoned: .abandoned(attempt)
    case .refused, .success, .left: .cannotApply(attempt)
    }
  }

  // MARK: Ending

  func discard() {
    standing = target
    pending = []
    current = nil
    verifyCurrent = nil
    callCurrent = nil
    lifetime = nil
  }

  func commit(_ machine: inout TransactionMachine) -> [Effect] {
    guard changesValue else { return [] }
    let delivery = lane.values.enqueue(target)
    return [.tell { [values = lane.values] in values.deliver(delivery) }]
  }

  func conclude(_ error: ParameterError?, _ machine: inout TransactionMachine) -> Effect? {
    let before = (lane.applying, lane.failure)
    lane.applying = nil
    lane.failure = error.map { (target, $0) }
    let publish = lane.publishStatus(machine)
    return .tell {
      _ = before
      publish?.run()
    }
  }
}
