/// Queues and runs the updates of a session, and holds the applicators of the whole session.
///
/// Those applicators belong to one more parameter, whose values are the values of all the others; it
/// takes its place after them in every update. While it has applicators, every request of the
/// session's parameters joins the line.
final class SessionLine: Sendable {
  typealias Values = SessionValues

  /// Its publisher is that of the session's values, once these have a subscriber.
  let whole: ParameterSequencer<Values>
  let line: UpdateLine
  private let seats: [SessionSeat]
  private let references: [LineReference]
  private let trace: ParameterTrace
  /// The result of requests that are part of an update.
  private let unused = ResultPublisher<Values, ParameterError>()

  init(
    _ parameters: SessionParameters, scheduler: any DeadlineScheduler, trace: ParameterTrace
  ) {
    var start = Values()
    let seats = SessionValues.parameters.map { $0.seat(parameters) }
    for seat in seats { seat.read(&start) }
    let whole = ParameterSequencer(start, scheduler: scheduler, validate: nil, trace: trace)
    let startWhole: @Sendable (JointUpdate) -> Void = { update in
      var values = Values()
      for seat in seats { seat.readValueToCome(&values) }
      let target: ParameterRequest<Values>.Target =
        update.continuesAfterFailure ? .reset(values) { $0.isEnabled } : .value(values)
      whole.machine.withLock { $0.start(update, target, standing: values) }
    }
    let line = UpdateLine(
      seats: seats.map(\.updates) + [UpdateSeat(whole)], startWhole: startWhole
    ) { changed in
      var delivery: UpdateSeat.Delivery = nil
      seats.withValues(of: changed) { inForce in
        delivery = whole.values.enqueueing { values in
          for seat in changed { seats[seat].copy(inForce, &values) }
        }
      }
      return delivery
    }
    self.whole = whole
    self.seats = seats
    self.line = line
    self.trace = trace
    references = seats.indices.map { LineReference(line, seat: $0) }
  }

  /// The values in force; an update is contained in them completely or not at all.
  var values: Values {
    line.lock.withLock { _ in
      var values = Values()
      for seat in seats { seat.read(&values) }
      return values
    }
  }

  /// Publishes the values of all parameters from now on. Called when the first subscriber comes;
  /// before that, nothing is published.
  func follow() {
    line.lock.withLock { state in
      guard !state.isPublishing else { return }
      state.isPublishing = true
      for seat in seats { seat.follow(whole.values) }
    }
  }

  // MARK: Updates

  /// Changes the values requested last, and queues those that differ.
  func update(
    _ change: (inout Values) -> Void
  ) -> ResultPublisher<Values, ParameterError> {
    for _ in 0..<Self.attempts {
      let asked = lastAsked
      var wanted = asked.values
      change(&wanted)
      if let result = handIn(wanted, asked, mayBeStale: false) { return result }
    }
    let asked = lastAsked
    var wanted = asked.values
    change(&wanted)
    return handIn(wanted, asked, mayBeStale: true) ?? .failure(.superseded)
  }

  /// How many times a change is computed again because another value was requested meanwhile.
  private static let attempts = 1_000

  private var lastAsked: LastAsked {
    line.lock.withLock { _ in
      var asked = LastAsked()
      for seat in seats { seat.readLastAsked(&asked) }
      return asked
    }
  }

  /// - Parameters:
  ///   - asked: The values that `wanted` was made from.
  ///   - mayBeStale: Whether the values are handed in even if others were requested since.
  /// - Returns: Nil if others were requested since and `mayBeStale` is false.
  private func handIn(
    _ wanted: Values, _ asked: LastAsked, mayBeStale: Bool
  ) -> ResultPublisher<Values, ParameterError>? {
    var change = SessionChange()
    for place in seats.indices { change.note(seats[place].change(wanted, asked.values), of: place) }
    if let error = change.invalid { return .failure(error) }
    let result = ResultPublisher<Values, ParameterError>()
    let entry = line.lock.withLock { [change] _ in
      enter(wanted, change, mayBeStale ? nil : asked.progress, result)
    }
    switch entry {
    case .stale: return nil
    case .refused(let error): return .failure(error)
    case .done(let values): return .success(values)
    case .joined(let deliveries, let started):
      for deliver in deliveries { deliver() }
      if let started { JointUpdate.run(started) }
      return result
    }
  }

  private enum Entry: Sendable {
    case stale
    case refused(ParameterError)
    case done(Values)
    case joined([@Sendable () -> Void], JointUpdate?)
  }

  /// Under the line's lock: joins all queues in one step, or starts if nothing is queued anywhere.
  ///
  /// - Parameter progress: The progress of the parameters when `change` was found; nil if it does
  ///   not matter.
  private func enter(
    _ wanted: Values, _ change: SessionChange, _ progress: SessionProgress?,
    _ result: ResultPublisher<Values, ParameterError>
  ) -> Entry {
    let (isClosed, isSerial, isWholeAtRest) = whole.machine.withLock { machine in
      (machine.admission == .closed, !machine.applicators.isEmpty, machine.isAtRest)
    }
    if isClosed { return .refused(.sessionDeactivated) }
    let asksForOthers = !change.parts.isEmpty
    var change = change
    if !asksForOthers {
      // The values that were requested last count only when they are committed.
      var inForce = Values()
      for seat in seats { seat.read(&inForce) }
      for place in seats.indices where seats[place].refusal() == nil {
        change.note(seats[place].change(wanted, inForce), of: place)
      }
      if change.parts.isEmpty, !isSerial { return .done(inForce) }
    }
    let whole = seats.count
    let (parts, first) = (change.parts, change.first)
    let places = isSerial ? SeatSet(first: whole + 1) : parts
    var all = parts
    if isSerial { all.insert(whole) }
    let holdsAll = SeatSet(first: whole).subtracting(places).isEmpty
    let update = JointUpdate(line, seats: places, parts: SeatOrder(all, first: first)) {
      [self] update, error in
      // An update that started from rest and held every parameter can have committed only `wanted`.
      let committed = holdsAll && update.hasStartedAtOnce ? wanted : values
      result.settle(error.map { .failure($0) } ?? .success(committed))
    }
    var entry = SessionEntry(update: update, wanted: wanted, parts: parts, places: places)
    let hasEntered = enter(&entry, SeatSet(first: whole)) { [trace] entry in
      guard entry.refusal == nil, progress.map({ $0.accepted == entry.progress.accepted }) != false
      else { return false }
      // A part is known to change its value if nothing has happened since it was compared.
      entry.startsAtOnce =
        asksForOthers && progress == entry.progress && entry.progress.isAtRest
        && (!isSerial || isWholeAtRest) && !trace.isOn
      return true
    }
    if let refusal = entry.refusal { return .refused(refusal) }
    guard hasEntered else { return .stale }
    if entry.startsAtOnce {
      if isSerial {
        startWholeAtOnce(update, wanted)
        entry.driven.insert(whole)
      }
      update.startAtOnce(SeatOrder(entry.driven, first: first))
      return .joined([], update)
    }
    for place in places.subtracting(parts) { line.seats[place].hold(update, false) }
    return .joined(entry.deliveries, line.start(update))
  }

  /// Takes the seats under the locks of their parameters, one within the other, if `isAllowed`,
  /// which runs under all of them, returns true.
  private func enter(
    _ entry: inout SessionEntry, _ rest: SeatSet, _ isAllowed: (inout SessionEntry) -> Bool
  ) -> Bool {
    var rest = rest
    guard let place = rest.next() else { return isAllowed(&entry) }
    return seats[place].enter(place, &entry) { [rest] in enter(&$0, rest, isAllowed) }
  }

  private func startWholeAtOnce(_ update: JointUpdate, _ wanted: Values) {
    var request = ParameterRequest(.value(wanted), result: unused)
    request.update = update
    whole.machine.withLock { $0.startAtOnce(request, update, standing: wanted) }
  }

  /// Refuses values of `isEnabled` from now on; under the line's lock, so that no request that was
  /// accepted before is still on its way into the queue.
  ///
  /// - Returns: A closure that publishes those failures; call it outside all locks.
  func refusingValues(_ isEnabled: ParameterSequencer<Bool>) -> @Sendable () -> Void {
    line.lock.withLock { _ in isEnabled.refusingValues() }
  }

  private var hasApplicators: Bool { whole.machine.withLock { !$0.applicators.isEmpty } }

  // MARK: Applicators of the whole session

  func makeApplicator(named name: String?) -> ProcessingApplicator<Values> {
    let record = ApplicatorRecord<Values>(name: name)
    line.lock.withLock { _ in
      whole.machine.withLock { $0.join(record) }
      for (seat, reference) in zip(seats, references) { seat.updates.setLine(reference) }
    }
    return ProcessingApplicator(record: record, owner: self)
  }

  /// Whether an applicator of the whole session may have a value with `isEnabled` true.
  var mayBeEnabled: Bool { whole.mayHaveValue { $0.isEnabled } }

  /// Call it under the line's lock, together with closing the parameters: all current and later
  /// requests fail.
  func closing() -> @Sendable () -> Void {
    whole.closing()
  }
}

extension SessionLine: ApplicatorOwner {
  func configure(
    _ record: ApplicatorRecord<Values>,
    _ change: @Sendable (inout ApplicatorRecord<Values>.Handlers) -> Void
  ) {
    whole.configure(record, change)
  }

  func latestAppliedValue(of record: ApplicatorRecord<Values>) -> Values? {
    whole.latestAppliedValue(of: record)
  }

  func remove(_ record: ApplicatorRecord<Values>) {
    whole.remove(record)
    line.lock.withLock { _ in
      guard !hasApplicators else { return }
      for seat in seats { seat.updates.setLine(nil) }
    }
  }
}

extension ParameterSequencer {
  /// Whether an applicator may have a value for which `condition` is true: it applied such a value,
  /// or its value is unknown after a time-out or a missing answer.
  func mayHaveValue(where condition: (Value) -> Bool) -> Bool {
    machine.withLock { machine in
      machine.applicators.places.contains { record in
        guard let record, record.handlers.apply != nil else { return false }
        return record.isUnknown || record.latest.map(condition) == true
      }
    }
  }
}
