/// One parameter's place in the line of its session, and where its value stands in the values of all.
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
  /// Copies the value requested last; returns the number of values accepted so far.
  let readLastAsked: @Sendable (inout Values) -> UInt64
  /// Copies the value after the current update, if that succeeds.
  let readValueToCome: @Sendable (inout Values) -> Void
  let differs: @Sendable (Values, Values) -> Bool
  let appliesFirst: @Sendable (Values) -> Bool
  /// Why the parameter never takes its value.
  let invalid: @Sendable (Values) -> ParameterError?
  /// Why it takes no value now.
  let refusal: @Sendable () -> ParameterError?
  /// Under the line's lock: puts the value, if there is one, into the queue, unless the parameter has
  /// accepted others than `count` values until now, or `others` returns false, which runs under the
  /// parameter's lock. Returns the work to do outside the locks.
  let join:
    @Sendable (JointUpdate, Values?, _ count: UInt64?, _ others: () -> Bool) -> (
      hasJoined: Bool, deliver: UpdateSeat.Delivery
    )
  /// From now on committed values are taken into the values that `source` publishes.
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
    readLastAsked = { values in
      let (value, count) = sequencer.machine.withLock { ($0.lastAsked, $0.generation) }
      set(&values, value)
      return count
    }
    readValueToCome = { set(&$0, sequencer.machine.withLock { $0.valueToCome }) }
    differs = { get($0) != get($1) }
    self.appliesFirst = { appliesFirst(get($0)) }
    invalid = { values in
      let value = get(values)
      return sequencer.isValid(value) ? nil : sequencer.invalid(value)
    }
    refusal = { sequencer.machine.withLock { $0.admission.refusal } }
    join = { update, values, count, others in
      let request = values.map { values in
        var request = ParameterRequest<Value>(.value(get(values)), result: unused)
        request.update = update
        return request
      }
      var effects = ParameterMachine<Value>.Effects()
      let hasJoined = sequencer.machine.withLock { machine in
        if let count, machine.generation != count { return false }
        guard others() else { return false }
        if let request { effects = machine.join(request, isNext: false) }
        return true
      }
      guard !effects.rest.isEmpty else { return (hasJoined, nil) }
      return (hasJoined, { [effects] in sequencer.perform(effects) })
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
  func withValues(of places: [Int], _ body: (SessionSeat.Values) -> Void) {
    var values = SessionSeat.Values()
    nest(places[...], &values, body)
  }

  private func nest(
    _ places: ArraySlice<Int>, _ values: inout SessionSeat.Values,
    _ body: (SessionSeat.Values) -> Void
  ) {
    guard let place = places.first else { return body(values) }
    self[place].withValue(&values) { nest(places.dropFirst(), &$0, body) }
  }
}
