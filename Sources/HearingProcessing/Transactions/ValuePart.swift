/// The part of a transaction for one parameter, or for the session as a whole. The part contains
/// the applicators, and the value that the applicators should apply. Subclasses decide which value
/// to apply, which applicators to call, and what to commit.
///
/// The functions are called in a fixed order. First `begin`, `compare` and `publishApplying` are
/// called. After `publishApplying`, `nextCheck` is called for each applicator of every part. After
/// the checks, `nextCall` and `answered` are called for each applicator. At the end, `commit` and
/// `conclude` are called. Functions with the remark "The caller holds the kernel's lock" run under
/// the lock. All other functions run outside the lock, on the thread that performs the transaction.
/// `isOutOfDate` and `compare` call the app's code.
class ValuePart {
  let lane: any AnyLane
  /// The value that the applicators should apply.
  private(set) var target: Box
  /// The parameter's value when the transaction began.
  private(set) var previousValue: Box
  /// Whether `target` differs from `previousValue`. `compare` sets this property.
  private(set) var changesValue = false

  /// The object in `target` and `previousValue` before the part begins. A part that was created
  /// with a target uses this target instead.
  private static let notBegun: Box = ValueBox(())
  private let hasFixedTarget: Bool
  /// While the part retains this token, the publishers of the parameter do not end.
  private var lifetime: ObservationToken?
  private var applicators: OrderedList<ApplicatorRecord>.Entries = []
  /// The applicators to call, in the order of the calls.
  private var pending: [ApplicatorRecord] = []
  private var index = 0
  /// The end of the current round of calls, as an index in `pending`. In the second round, the
  /// applicators that did not answer in time are called again.
  private var roundEnd = 0
  private(set) final var isSecondRound = false
  /// The maximum time for the first call of an applicator, if the part is independent. An
  /// independent part calls every applicator, even if other applicators fail. The limit is short,
  /// so that an applicator without an answer does not delay the other applicators. An applicator
  /// without an answer is called again in the second round, with the applicator's own time-out.
  private static let firstLimit = Duration.seconds(1)
  /// The indices in `pending` of the applicators that are not called. An applicator is not called
  /// if it was removed, has no `apply` handler, or cannot apply the value.
  private var excluded: Set<Int> = []
  /// The applicator whose handler is being called.
  private var current: ApplicatorRecord?
  /// Values to release outside the lock.
  private var displaced: [Box] = []

  /// - Parameter target: The value to apply. If `target` is nil, the part applies the value that
  ///   the parameter has when the transaction begins.
  init(_ lane: any AnyLane, target: Box? = nil, lifetime: ObservationToken? = nil) {
    self.lane = lane
    self.lifetime = lifetime
    hasFixedTarget = target != nil
    previousValue = target ?? Self.notBegun
    self.target = previousValue
  }

  /// Returns the value that the applicators should apply. The caller holds the kernel's lock.
  func choose(_ interruptions: Interruptions) -> Box {
    hasFixedTarget ? target : previousValue
  }

  /// Whether the latest value of the applicator is unknown or differs from `target`. Subclasses may
  /// use another condition. An applicator without an `apply` handler is never called, even if the
  /// result is true.
  func isOutOfDate(_ record: ApplicatorRecord) -> Bool {
    guard let latest = record.latest else { return true }
    return lane.differ(latest, target)
  }

  /// Whether the part has nothing to apply.
  var isIdle: Bool { false }

  /// True if the part calls all applicators and commits the value, even if one applicator fails.
  var isIndependent: Bool { false }

  /// A bit mask with one bit for each parameter. Only the bit of the part's parameter is 1.
  final var bit: UInt64 { lane.bit }

  // MARK: Finding the applicators

  /// Reads the value and the applicators of the parameter when the transaction begins. The caller
  /// holds the kernel's lock.
  final func begin(_ interruptions: Interruptions) {
    displaced = [previousValue, target]
    previousValue = lane.current
    target = choose(interruptions)
    applicators = lane.applicators.entries
  }

  /// Finds the applicators to call. Calls the app's `==`.
  final func compare() {
    displaced = []
    changesValue = lane.differ(previousValue, target)
    // Consecutive applicators often have the same latest value. Such a value is compared only once.
    var compared: (latest: Box, isOutOfDate: Bool)?
    for entry in applicators where !isIdle {
      guard let record = entry.element else { continue }
      let isOutOfDate: Bool
      if let compared, let latest = record.latest, compared.latest === latest {
        isOutOfDate = compared.isOutOfDate
      } else {
        isOutOfDate = self.isOutOfDate(record)
        compared = record.latest.map { ($0, isOutOfDate) }
      }
      if isOutOfDate { pending.append(record) }
    }
    // If the part is independent, applicators with an unknown value are called last. An applicator
    // that has not answered its last call must not delay the other applicators.
    if isIndependent { pending = pending.filter { !$0.isUnknown } + pending.filter(\.isUnknown) }
    applicators = []
    roundEnd = pending.count
  }

  /// If there are applicators to call, publishes that the applicators are applying the value. The
  /// caller holds the kernel's lock.
  final func publishApplying() -> Notice? {
    for (index, record) in pending.enumerated() where !record.isReady { excluded.insert(index) }
    return excluded.count < pending.count ? lane.beginApplying(target) : nil
  }

  // MARK: Asking

  /// Moves to the next applicator that has a `canApply` handler, and returns a closure that calls
  /// this handler. Returns nil if no applicator with this handler remains. The caller holds the
  /// kernel's lock.
  final func nextCheck() -> (@Sendable () -> Bool)? {
    while index < pending.count {
      defer { index += 1 }
      let record = pending[index]
      guard record.isReady, let verify = record.handlers.verify, !excluded.contains(index) else {
        continue
      }
      current = record
      return { [target] in verify(target) }
    }
    index = 0
    return nil
  }

  /// The name of the applicator whose handler is being called. Every access needs the kernel's
  /// lock.
  final var applicatorName: String? { current?.name }

  /// Excludes the current applicator, because its `canApply` handler has returned false. The caller
  /// holds the kernel's lock.
  final func refused() {
    excluded.insert(index - 1)
  }

  // MARK: Calling

  /// Moves to the next applicator, and returns the call of its `apply` handler. Returns nil if no
  /// applicator remains in this round of calls. The caller holds the kernel's lock.
  final func nextCall(_ transaction: Box, ticket: UInt64) -> ApplicatorCall? {
    while index < roundEnd {
      defer { index += 1 }
      let record = pending[index]
      guard record.isReady, let apply = record.handlers.apply, !excluded.contains(index) else {
        continue
      }
      current = record
      record.transaction = transaction
      return ApplicatorCall(
        value: target, apply: apply, timeout: timeout(of: record), name: record.name,
        ticket: ticket)
    }
    current = nil
    return nil
  }

  /// The maximum time for a call. A part that calls every applicator even after failures (an
  /// independent part) never waits without a limit.
  private func timeout(of record: ApplicatorRecord) -> Duration? {
    let own = record.handlers.timeout
    guard isIndependent else { return own }
    let limit = own ?? .seconds(10)
    return isSecondRound ? limit : min(limit, Self.firstLimit)
  }

  /// Postpones the current applicator to the second round if it has not answered in time. Returns
  /// true if the applicator was postponed. The caller holds the kernel's lock.
  final func postpones(_ answer: CallAnswer) -> Bool {
    guard isIndependent, !isSecondRound, case .timedOut = answer, let current else { return false }
    pending.append(current)
    return true
  }

  /// Begins the second round, in which the postponed applicators are called again. Returns false if
  /// there are no postponed applicators. The caller holds the kernel's lock.
  final func beginSecondRound() -> Bool {
    guard roundEnd < pending.count else { return false }
    (roundEnd, isSecondRound) = (pending.count, true)
    return true
  }

  /// Records that the call of the current applicator has ended. The caller holds the kernel's lock.
  ///
  /// - Returns: The previous value of the applicator. The caller releases the previous value
  ///   outside the lock.
  final func answered(_ answer: CallAnswer) -> Box? {
    guard let record = current.take() else { return nil }
    record.transaction = nil
    switch answer {
    case .success:
      return record.record(target)
    case .failure, .refused:
      return nil
    case .timedOut, .abandoned, .removed, .interrupted:
      return record.record(nil)
    }
  }

  // MARK: Ending

  /// Stores the value of this part as the current value of the parameter. The caller holds the
  /// kernel's lock.
  ///
  /// - Parameter position: The index in `notices` at which to insert the closure that notifies the
  ///   subscribers.
  func commit(
    _ interruptions: inout Interruptions, _ notices: inout [Notice], at position: Int
  ) {
    if changesValue { notices.insert(lane.commit(target), at: position) }
  }

  /// Records that this part no longer applies a value, and publishes the status of the parameter.
  /// The caller holds the kernel's lock.
  func conclude(
    _ error: ParameterError?, _ interruptions: inout Interruptions, _ progress: LaneProgress
  ) -> [Notice] {
    lane.end(target, error, isLoad: false, progress)
  }

  /// Releases the applicators' records, because the transaction is over.
  final func discard() {
    previousValue = target
    pending = []
    current = nil
    lifetime = nil
  }
}
