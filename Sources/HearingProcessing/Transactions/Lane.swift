// Sendable because `applicators`, `applying` and `outcome` are only accessed under the kernel's lock,
// and the rest is constant.
/// One parameter in a kernel: its value, its applicators and its status.
///
/// A transaction that claims the lane reads the applicators' values without the lock: only such a
/// transaction changes them.
final class Lane<Value: Equatable & Sendable>: @unchecked Sendable {
  /// The index of the lane in the kernel; nil for the session as a whole, which every transaction
  /// of the session claims a part of.
  let index: Int?
  let values: CurrentValueSource<Value>
  let statuses = CurrentValueSource<UpdateState<Value>>(
    .applied, observation: ObservedProperty())
  /// The event log and the lane's name in it; nil for a parameter of its own.
  private let trace: (tracer: Tracer, name: String)?
  /// Writes the lane's value into the values of its session; nil for a parameter of its own.
  let write: (@Sendable (Value, inout SessionValues) -> Void)?
  /// Makes the part of the whole session that completes a transaction of these parts.
  let makeLastPart: (@Sendable ([any TransactionPart]) -> any TransactionPart)?
  /// Whether an applicator at this value lets sound through that an interruption must stop.
  private let amplifies: (@Sendable (Value) -> Bool)?

  var applicators = OrderedList<ApplicatorRecord<Value>>()
  /// The value that applicators are applying now.
  var applying: Value?
  /// The error of the last transaction or load, and the value that was not applied.
  var failure: (value: Value, error: ParameterError)?

  init(
    _ initialValue: Value, index: Int?, trace: (Tracer, String)? = nil,
    write: (@Sendable (Value, inout SessionValues) -> Void)? = nil,
    makeLastPart: (@Sendable ([any TransactionPart]) -> any TransactionPart)? = nil,
    amplifies: (@Sendable (Value) -> Bool)? = nil
  ) {
    values = CurrentValueSource(initialValue, observation: ObservedProperty())
    self.index = index
    self.trace = trace.map { (tracer: $0.0, name: $0.1) }
    self.write = write
    self.makeLastPart = makeLastPart
    self.amplifies = amplifies
  }

  /// The bit of the lane in a set of lanes.
  var bit: UInt64 { index.map { 1 << UInt64($0) } ?? 0 }

  /// Under the lock: the applicators are being asked for `value`.
  func beginApplying(_ value: Value) -> Effect {
    applying = value
    return publish(.applying(value))
  }

  /// Under the lock: publishes the status if it may have changed, unless applicators are being asked.
  func publishStatus(_ machine: TransactionMachine) -> Effect? {
    guard let index, applying == nil else { return nil }
    let status: UpdateState<Value> =
      if machine.lanes[index].load != nil {
        .loading
      } else if machine.lanes[index].debounce != nil {
        .waiting
      } else if let failure {
        .failed(failure.value, failure.error)
      } else {
        .applied
      }
    return status.isPlain && statuses.value.hasSameCase(as: status) ? nil : publish(status)
  }

  private func publish(_ status: UpdateState<Value>) -> Effect {
    let delivery = statuses.enqueue(status)
    return .tell { [statuses] in statuses.deliver(delivery) }
  }

  /// Under the lock: whether the applicator may let sound through that an interruption must stop.
  func mayAmplify(_ record: ApplicatorRecord<Value>) -> Bool {
    guard let amplifies, record.isReady else { return false }
    return record.latest.map(amplifies) ?? record.isUnknown
  }

  /// Whether anybody reads the event log.
  var isTraced: Bool { trace?.tracer.isOn == true }

  /// Writes to the event log.
  func note(
    _ kind: TraceEvent.Kind, _ value: Value? = nil, applicator: String? = nil,
    duration: Duration? = nil, failure: (any Error)? = nil
  ) {
    guard let trace else { return }
    trace.tracer.note(
      TraceEvent(
        kind, trace.name, value: value.map { "\($0)" }, applicator: applicator,
        duration: duration, failure: failure))
  }

  /// Ends the publishers.
  func finish() {
    values.finish()
    statuses.finish()
  }
}

extension UpdateState {
  /// Whether the case alone says everything.
  fileprivate var isPlain: Bool {
    switch self {
    case .applied, .waiting, .loading: true
    case .applying, .failed: false
    }
  }

  fileprivate func hasSameCase(as other: UpdateState) -> Bool {
    switch (self, other) {
    case (.applied, .applied), (.waiting, .waiting), (.loading, .loading): true
    default: false
    }
  }
}
