/// A closure that notifies subscribers of a change that was stored under the lock. The closure must
/// be called outside the lock.
typealias Notice = @Sendable () -> Void

/// Whether a parameter is loading a value, and whether a debounced value is waiting.
typealias LaneProgress = (isLoading: Bool, isWaiting: Bool)

/// One parameter in a `Kernel`. `AnyLane` does not depend on the type of the parameter's value.
protocol AnyLane: AnyObject, Sendable {
  /// The index of the parameter in the kernel. One lane belongs to the whole session instead of a
  /// single parameter. The index of this lane is nil. Every transaction of a session has a part for
  /// this lane.
  var index: Int? { get }

  /// The applicators, in order of registration. Every access needs the kernel's lock.
  var applicators: OrderedList<ApplicatorRecord> { get set }

  /// The current value. Every access needs the kernel's lock.
  var current: Box { get }

  /// Returns whether two values differ. Calls the app's `==`.
  func differ(_ first: Box, _ second: Box) -> Bool

  /// Stores the value, and returns the closure that notifies the subscribers. The caller holds the
  /// kernel's lock.
  func commit(_ value: Box) -> Notice

  /// Stores the status `applying`, and returns the closure that notifies the subscribers of the
  /// status. The caller holds the kernel's lock.
  func beginApplying(_ value: Box) -> Notice

  /// Records the outcome of a transaction or of a failed load, and returns the closures that notify
  /// the subscribers of the status. The caller holds the kernel's lock.
  ///
  /// - Parameter error: The reason why `value` was not applied, or nil if `value` was applied.
  func end(
    _ value: Box, _ error: ParameterError?, isLoad: Bool, _ progress: LaneProgress
  ) -> [Notice]

  /// True if the applicator's target amplifies audio with the latest applied value, or if this
  /// value is unknown.
  func amplifies(_ record: ApplicatorRecord) -> Bool

  /// Writes `value` into `values`, the values of a session.
  func write(_ value: Box, to values: inout SessionValues)

  /// A description of the value.
  func describe(_ value: Box) -> String

  /// The tracer that receives the events of this parameter, and the parameter's name in these
  /// events. Nil if the parameter does not belong to a session.
  var trace: (tracer: Tracer, name: String)? { get }
}

extension AnyLane {
  /// A bit mask with one bit for each parameter of the kernel. Only the bit of this parameter is 1.
  /// For the whole session, all bits are 0.
  var bit: UInt64 { index.map { 1 << UInt64($0) } ?? 0 }

  /// True if the applicator is registered, has an `apply` handler, and its target may amplify
  /// audio. The caller holds the kernel's lock.
  func mayAmplify(_ record: ApplicatorRecord) -> Bool { record.isReady && amplifies(record) }

  /// Passes an event of this parameter to the tracer.
  func note(
    _ kind: TraceEvent.Kind, _ value: Box? = nil, applicator: String? = nil,
    duration: Duration? = nil, failure: (any Error)? = nil
  ) {
    guard let trace else { return }
    trace.tracer.note(
      TraceEvent(
        kind, trace.name, value: value.map { describe($0) }, applicator: applicator,
        duration: duration, failure: failure))
  }

  /// Returns a closure that passes the answer to `call` to the tracer. Returns nil if no closure of
  /// the app receives trace events.
  func report(
    _ call: ApplicatorCall, _ scheduler: any DeadlineScheduler
  ) -> (@Sendable (CallAnswer) -> Void)? {
    guard trace?.tracer.isOn == true else { return nil }
    let begin = scheduler.now
    return { [self] answer in
      switch answer {
      case .success, .failure:
        note(
          .applicatorAnswered, call.value, applicator: call.name,
          duration: scheduler.now - begin, failure: answer.error)
      case .timedOut:
        note(.timedOut, applicator: call.name)
      case .abandoned, .removed, .refused, .interrupted:
        break
      }
    }
  }
}

// This class is Sendable because every variable is only accessed under the kernel's lock. All other
// properties are constants.
/// One parameter: its current value, its applicators and its status.
final class Lane<Value: Equatable & Sendable>: AnyLane, @unchecked Sendable {
  let index: Int?
  let values: CurrentValueSource<Value>
  let statuses = CurrentValueSource<UpdateState<Value>>(
    .applied, observation: ObservedProperty())
  let trace: (tracer: Tracer, name: String)?
  private let write: (@Sendable (Value, inout SessionValues) -> Void)?
  private let isAmplifying: (@Sendable (Value) -> Bool)?

  var applicators = OrderedList<ApplicatorRecord>()
  private(set) var current: Box
  private var phase = Phase.applied
  /// The error of the last transaction or load, and the value that was not applied. Nil if the last
  /// transaction or load succeeded.
  private var failure: (value: Box, error: ParameterError)?

  init(
    _ initialValue: Value, index: Int?, trace: (Tracer, String)? = nil,
    write: (@Sendable (Value, inout SessionValues) -> Void)? = nil,
    amplifies: (@Sendable (Value) -> Bool)? = nil
  ) {
    values = CurrentValueSource(initialValue, observation: ObservedProperty())
    current = ValueBox(initialValue)
    self.index = index
    self.trace = trace.map { (tracer: $0.0, name: $0.1) }
    self.write = write
    isAmplifying = amplifies
  }

  func differ(_ first: Box, _ second: Box) -> Bool {
    first !== second && ValueBox<Value>.open(first) != ValueBox<Value>.open(second)
  }

  func commit(_ value: Box) -> Notice {
    let (publish, displaced) = (values.enqueue(ValueBox<Value>.open(value)), current)
    current = value
    return {
      publish()
      withExtendedLifetime(displaced) {}
    }
  }

  func write(_ value: Box, to values: inout SessionValues) {
    write?(ValueBox<Value>.open(value), &values)
  }

  func describe(_ value: Box) -> String { "\(ValueBox<Value>.open(value))" }

  func amplifies(_ record: ApplicatorRecord) -> Bool {
    guard let isAmplifying else { return false }
    return record.latest.map { isAmplifying(ValueBox<Value>.open($0)) } ?? true
  }

  /// Ends the publishers of the value and of the status.
  func finish() {
    values.finish()
    statuses.finish()
  }

  // MARK: Status

  func beginApplying(_ value: Box) -> Notice {
    phase = .applying
    return statuses.enqueue(.applying(ValueBox<Value>.open(value)))
  }

  func end(
    _ value: Box, _ error: ParameterError?, isLoad: Bool, _ progress: LaneProgress
  ) -> [Notice] {
    if phase == .applying, !isLoad { phase = .other }
    // The previous failure is released outside the lock.
    let release: [Notice] = failure.map { before in [{ withExtendedLifetime(before) {} }] } ?? []
    failure = error.map { (value, $0) }
    return release + publishStatus(progress)
  }

  /// Publishes the status of the parameter if the status may have changed. Does nothing while
  /// applicators are applying a value. The caller holds the kernel's lock.
  func publishStatus(_ progress: LaneProgress) -> [Notice] {
    guard index != nil, phase != .applying else { return [] }
    let (next, status): (Phase, UpdateState<Value>) =
      if progress.isLoading {
        (.loading, .loading)
      } else if progress.isWaiting {
        (.waiting, .waiting)
      } else if let failure {
        (.other, .failed(ValueBox<Value>.open(failure.value), failure.error))
      } else {
        (.applied, .applied)
      }
    guard next != phase || next == .other else { return [] }
    phase = next
    return [statuses.enqueue(status)]
  }

  /// The kind of the status that was published last.
  private enum Phase {
    case applied, waiting, loading, applying
    /// The last change failed, or applicators have just finished applying a value. After the phase
    /// `other`, the next status is always published.
    case other
  }
}
