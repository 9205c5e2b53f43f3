/// Where updates of a session wait and run, and where the applicators of the whole session stand.
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
    references = seats.indices.map { LineReference(line, seat: $0) }
  }

  /// The values in force, all of the same moment as far as updates are concerned.
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
      let (base, counts) = lastAsked
      var wanted = base
      change(&wanted)
      if let result = handIn(wanted, base, counts) { return result }
    }
    let (base, _) = lastAsked
    var wanted = base
    change(&wanted)
    return handIn(wanted, base, nil) ?? .failure(.superseded)
  }

  /// How many times a change is computed again because another value was requested meanwhile.
  private static let attempts = 1_000

  /// The values requested last, and the number of values that each parameter has accepted so far.
  private var lastAsked: (Values, [UInt64]) {
    line.lock.withLock { _ in
      var values = Values()
      let counts = seats.map { $0.readLastAsked(&values) }
      return (values, counts)
    }
  }

  /// - Parameter counts: How many values were accepted when `base` was read; nil if it does not
  ///   matter.
  /// - Returns: Nil if there are more by now.
  private func handIn(
    _ wanted: Values, _ base: Values, _ counts: [UInt64]?
  ) -> ResultPublisher<Values, ParameterError>? {
    let changed = seats.indices.filter { seats[$0].differs(wanted, base) }
    if let error = changed.lazy.compactMap({ [seats] in seats[$0].invalid(wanted) }).first {
      return .failure(error)
    }
    let result = ResultPublisher<Values, ParameterError>()
    let entry = line.lock.withLock { _ in enter(wanted, changed, counts, result) }
    switch entry {
    case .stale: return nil
    case .refused(let error): return .failure(error)
    case .done(let values): return .success(values)
    case .joined(let deliveries, let started):
      for deliver in deliveries { deliver?() }
      if let started { JointUpdate.run(started) }
      return result
    }
  }

  private enum Entry: Sendable {
    case stale
    case refused(ParameterError)
    case done(Values)
    case joined([UpdateSeat.Delivery], JointUpdate?)
  }

  /// Under the line's lock: joins all queues in one step.
  private func enter(
    _ wanted: Values, _ changed: [Int], _ counts: [UInt64]?,
    _ result: ResultPublisher<Values, ParameterError>
  ) -> Entry {
    var parts = changed
    var inForce = Values()
    if parts.isEmpty {
      // The values that were requested last count only when they are committed.
      for seat in seats { seat.read(&inForce) }
      parts = seats.indices.filter {
        seats[$0].differs(wanted, inForce) && seats[$0].refusal() == nil
      }
    }
    for part in parts {
      if let error = seats[part].refusal() { return .refused(error) }
    }
    if isClosed { return .refused(.sessionDeactivated) }
    let isSerial = hasApplicators
    if parts.isEmpty, !isSerial { return .done(inForce) }
    let whole = seats.count
    let places = isSerial ? Array(0...whole) : parts
    let update = JointUpdate(
      line, seats: places, parts: inOrder(parts, wanted) + (isSerial ? [whole] : [])
    ) { [self] error in
      result.settle(error.map { .failure($0) } ?? .success(values))
    }
    var deliveries: [UpdateSeat.Delivery] = []
    guard join(update, wanted, parts, counts, 0, &deliveries) else { return .stale }
    for place in places where !parts.contains(place) { line.seats[place].hold(update, false) }
    return .joined(deliveries, line.start(update))
  }

  /// Puts the parts into their queues unless a parameter has accepted another value meanwhile, all
  /// under the locks of the parameters, one within the other.
  private func join(
    _ update: JointUpdate, _ wanted: Values, _ parts: [Int], _ counts: [UInt64]?,
    _ place: Int, _ deliveries: inout [UpdateSeat.Delivery]
  ) -> Bool {
    guard place < seats.count else { return true }
    let value = parts.contains(place) ? wanted : nil
    let (hasJoined, deliver) = seats[place].join(update, value, counts?[place]) {
      join(update, wanted, parts, counts, place + 1, &deliveries)
    }
    if let deliver { deliveries.append(deliver) }
    return hasJoined
  }

  /// Refuses values of `isEnabled` from now on; under the line's lock, so that no request that was
  /// accepted before is still on its way into the queue.
  ///
  /// - Returns: A closure that publishes those failures; call it outside all locks.
  func refusingValues(_ isEnabled: ParameterSequencer<Bool>) -> @Sendable () -> Void {
    line.lock.withLock { _ in isEnabled.refusingValues() }
  }

  /// Preset, intensity, `isEnabled`; switching off goes first.
  private func inOrder(_ parts: [Int], _ wanted: Values) -> [Int] {
    let first = parts.filter { seats[$0].appliesFirst(wanted) }
    return first.isEmpty ? parts : first + parts.filter { !first.contains($0) }
  }

  private var isClosed: Bool { whole.machine.withLock { $0.admission == .closed } }
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

  /// Whether an applicator of the whole session may be enabled.
  var mayBeEnabled: Bool { whole.mayHaveValue { $0.isEnabled } }

  /// Under the line's lock, with the parameters: all requests under way fail, and all later ones.
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
