/// One parameter's place in the line of its session, and where its value stands in the values of all.
///
/// The closures are made where the type is known, so that they are specialised.
struct SessionSeat: Sendable {
  typealias Values = SessionValues

  let updates: UpdateSeat
  /// Copies the value in force.
  let read: @Sendable (inout Values) -> Void
  /// Copies the value in force and runs `body` before it can change, under the parameter's lock.
  let withValue: @Sendable (inout Values, _ body: (inout Values) -> Void) -> Void
  /// Copies the parameter's value from the first values to the second.
  let copy: @Sendable (Values, inout Values) -> Void
  /// Copies the value last asked for; returns how many values were accepted until now.
  let readLastAsked: @Sendable (inout Values) -> UInt64
  /// Copies the value in force when the update under way has succeeded.
  let readValueToCome: @Sendable (inout Values) -> Void
  let differs: @Sendable (Values, Values) -> Bool
  let appliesFirst: @Sendable (Values) -> Bool
  /// Why the parameter never takes its value.
  let invalid: @Sendable (Values) -> ParameterError?
  /// Why it takes no value now.
  let refusal: @Sendable () -> ParameterError?
  /// Under the line's lock: puts the value, if there is one, into the queue, unless the parameter has
  /// accepted others than `count` values until now, or `others` returns false, which runs under the
  /// parameter's lock. Returns what is left to do outside.
  let join:
    @Sendable (JointUpdate, Values?, _ count: UInt64?, _ others: () -> Bool) -> (
      hasJoined: Bool, deliver: UpdateSeat.Delivery
    )
  /// From now on committed values are taken into the values that `source` publishes.
  let follow: @Sendable (CurrentValueSource<Values>) -> Void

  @inline(__always)
  init<Value>(
    _ sequencer: ParameterSequencer<Value>,
    _ path: any WritableKeyPath<Values, Value> & Sendable,
    appliesFirst: @escaping @Sendable (Value) -> Bool
  ) {
    let unused = ResultPublisher<Value, ParameterError>()
    updates = UpdateSeat(sequencer)
    read = { $0[keyPath: path] = sequencer.machine.withLock { $0.value } }
    withValue = { values, body in
      sequencer.machine.withLock { machine in
        values[keyPath: path] = machine.value
        body(&values)
      }
    }
    copy = { $1[keyPath: path] = $0[keyPath: path] }
    readLastAsked = { values in
      let (value, count) = sequencer.machine.withLock { ($0.lastAsked, $0.generation) }
      values[keyPath: path] = value
      return count
    }
    readValueToCome = { $0[keyPath: path] = sequencer.machine.withLock { $0.valueToCome } }
    differs = { $0[keyPath: path] != $1[keyPath: path] }
    self.appliesFirst = { appliesFirst($0[keyPath: path]) }
    invalid = { values in
      let value = values[keyPath: path]
      return sequencer.isValid(value) ? nil : sequencer.invalid(value)
    }
    refusal = { sequencer.machine.withLock { $0.admission.refusal } }
    join = { update, values, count, others in
      let request = values.map { values in
        var request = ParameterRequest<Value>(.value(values[keyPath: path]), result: unused)
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
        source.enqueueing { $0[keyPath: path] = value }
      }
      sequencer.machine.withLock { machine in
        let value = machine.value
        source.roster.state.withLock { _ in source.current[keyPath: path] = value }
        machine.follower = Follower(store: store)
      }
    }
  }
}

extension Sequence<SessionSeat> {
  /// Runs `body` with the values in force, under the locks of these parameters, one within the other.
  ///
  /// Under the line's lock, and in the order of the seats, so that no two threads wait for each other.
  func withValues(_ body: (SessionSeat.Values) -> Void) {
    var values = SessionSeat.Values()
    Self.nest(Array(self)[...], &values, body)
  }

  private static func nest(
    _ seats: ArraySlice<SessionSeat>, _ values: inout SessionSeat.Values,
    _ body: (SessionSeat.Values) -> Void
  ) {
    guard let seat = seats.first else { return body(values) }
    seat.withValue(&values) { nest(seats.dropFirst(), &$0, body) }
  }
}
