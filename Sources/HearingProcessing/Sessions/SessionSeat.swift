/// One parameter's place in the line of its session, and access to its value in
/// `SessionValues`.
///
/// The closures are made where the type is known, so that they are specialised. It is a class because
/// copying so many closures would cost more than calling them.
final class SessionSeat: Sendable {
  typealias Values = SessionValues

  let updates: UpdateSeat
  /// Copies the value in force.
  let read: @Sendable (inout Values) -> Void
  /// Copies the value in force and runs `body` before it can change, under the parameter's lock.
  let withValue: @Sendable (inout Values, _ body: (inout Values) -> Void) -> Void
  /// Copies the parameter's value from the first values to the second.
  let copy: @Sendable (Values, inout Values) -> Void
  /// Copies the value requested last.
  let readLastAsked: @Sendable (inout LastAsked) -> Void
  /// Copies the value after the current update, if that succeeds.
  let readValueToCome: @Sendable (inout Values) -> Void
  /// How the parameter's value in the first values changes that of the second.
  let change: @Sendable (Values, _ base: Values) -> SeatChange
  /// Why the parameter accepts no value now; nil if it does.
  let refusal: @Sendable () -> ParameterError?
  /// Under the line's lock: lets the update take this seat if `others`, which runs under the
  /// parameter's lock, returns true. Returns whether the update took the seat.
  let enter:
    @Sendable (_ seat: Int, inout SessionEntry, _ others: (inout SessionEntry) -> Bool) -> Bool
  /// From now on, copies committed values into the values that `source` publishes.
  let follow: @Sendable (CurrentValueSource<Values>) -> Void

  @inline(__always)
  init<Value>(
    _ sequencer: ParameterSequencer<Value>,
    get: @escaping @Sendable (Values) -> Value,
    set: @escaping @Sendable (inout Values, Value) -> Void,
    appliesFirst: @escaping @Sendable (Value) -> Bool
  ) {
    let unused = ResultPublisher<Value, ParameterError>()
    updates = UpdateSeat(sequencer)
    read = { set(&$0, sequencer.machine.withLock { $0.value }) }
    withValue = { values, body in
      sequencer.machine.withLock { machine in
        set(&values, machine.value)
        body(&values)
      }
    }
    copy = { set(&$1, get($0)) }
    readLastAsked = { asked in
      sequencer.machine.withLock { machine in
        set(&asked.values, machine.lastAsked)
        asked.progress.note(machine)
      }
    }
    readValueToCome = { set(&$0, sequencer.machine.withLock { $0.valueToCome }) }
    change = { values, base in
      let value = get(values)
      if value == get(base) { return .none }
      if !sequencer.isValid(value) { return .invalid(sequencer.invalid(value)) }
      return appliesFirst(value) ? .first : .inTurn
    }
    refusal = { sequencer.machine.withLock { $0.admission.refusal } }
    enter = { seat, entry, others in
      let (isPart, isPlace) = (entry.parts.contains(seat), entry.places.contains(seat))
      var effects: ParameterMachine<Value>.Effects?
      let hasEntered = sequencer.machine.withLock { machine in
        entry.progress.note(machine)
        if isPart, entry.refusal == nil { entry.refusal = machine.admission.refusal }
        guard others(&entry) else { return false }
        switch (isPart, entry.startsAtOnce) {
        case (true, true):
          if machine.startAtOnce(entry.update, get(entry.wanted), unused: unused) {
            entry.driven.insert(seat)
          }
        case (true, false):
          var request = ParameterRequest<Value>(.value(get(entry.wanted)), result: unused)
          request.update = entry.update
          effects = machine.join(request, isNext: false)
        case (false, true):
          if isPlace { machine.holdAtOnce(entry.update) }
        case (false, false):
          break
        }
        return true
      }
      if let effects, !effects.rest.isEmpty {
        entry.deliveries.append { sequencer.perform(effects) }
      }
      return hasEntered
    }
    follow = { source in
      let store: @Sendable (Value) -> (@Sendable () -> Void)? = { value in
        source.enqueueing { set(&$0, value) }
      }
      sequencer.machine.withLock { machine in
        let value = machine.value
        source.roster.state.withLock { _ in set(&source.current, value) }
        machine.follower = Follower(store: store)
      }
    }
  }
}

extension [SessionSeat] {
  /// Runs `body` with the values in force of some parameters, under their locks, one within the
  /// other.
  ///
  /// Under the line's lock, and in ascending order of the seats, so that no two threads wait for each
  /// other.
  func withValues(of places: SeatSet, _ body: (SessionSeat.Values) -> Void) {
    var values = SessionSeat.Values()
    nest(places, &values, body)
  }

  private func nest(
    _ places: SeatSet, _ values: inout SessionSeat.Values, _ body: (SessionSeat.Values) -> Void
  ) {
    var rest = places
    guard let place = rest.next() else { return body(values) }
    self[place].withValue(&values) { [rest] in nest(rest, &$0, body) }
  }
}

/// What an update does to one parameter.
enum SeatChange: Sendable {
  case none
  /// A new value, to be applied before those of other parameters.
  case first
  /// A new value, to be applied in the order of the seats.
  case inTurn
  /// A value that the parameter never accepts.
  case invalid(ParameterError)
}

/// The parameters that an update changes.
struct SessionChange: Sendable {
  private(set) var parts = SeatSet()
  /// Those among them that apply first.
  private(set) var first = SeatSet()
  /// Why one of the values is never accepted.
  private(set) var invalid: ParameterError?

  mutating func note(_ change: SeatChange, of seat: Int) {
    switch change {
    case .none: break
    case .first:
      parts.insert(seat)
      first.insert(seat)
    case .inTurn: parts.insert(seat)
    case .invalid(let error): if invalid == nil { invalid = error }
    }
  }
}

/// The progress of some parameters. Two equal ones mean that nothing happened in between.
struct SessionProgress: Equatable, Sendable {
  /// The number of values that the parameters have accepted.
  private(set) var accepted: UInt64 = 0
  /// The number of their sequences and updates that have ended.
  private(set) var ended: UInt64 = 0
  /// Whether all of them are at rest.
  private(set) var isAtRest = true

  mutating func note<Value>(_ machine: ParameterMachine<Value>) {
    accepted += machine.generation
    ended += machine.updates.outcomeCount
    isAtRest = isAtRest && machine.isAtRest
  }
}

/// The values requested last.
struct LastAsked: Sendable {
  var values = SessionValues()
  var progress = SessionProgress()
}

/// An update on its way into the queues of its parameters, under their locks.
struct SessionEntry: Sendable {
  let update: JointUpdate
  let wanted: SessionValues
  /// The parameters that get a value.
  let parts: SeatSet
  /// The parameters that the update holds while it runs.
  let places: SeatSet

  /// The progress of the parameters that were visited so far.
  var progress = SessionProgress()
  /// Why a part accepts no value now.
  var refusal: ParameterError?
  /// Whether all parameters are at rest, so that it needs no queue.
  var startsAtOnce = false
  /// The parts that must be driven, once it has started.
  var driven = SeatSet()
  /// To be called outside all locks.
  var deliveries: [@Sendable () -> Void] = []
}
