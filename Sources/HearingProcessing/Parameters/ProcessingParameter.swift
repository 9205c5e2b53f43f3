public import Observation

// Sendable because both wrapped properties are written in `init` only (a wrapper's storage is a
// `var` by rule); what they hold, and the sequencer, do their own locking.
/// A value that applicators bring into force, one after the other, before it becomes the value.
///
///     let applicator = session.intensity.applicator().apply { value, result in … }
///     let token = session.intensity.$value.sink { print($0) }
///     let value = try await session.intensity.apply(0.5).get()
///
/// The value changes only when every out-of-date applicator has taken it; the result of `apply`
/// tells. A parameter works as long as it is held, with or without a session; an app may make its
/// own. Any method may be called from any thread, also from inside a handler or a subscriber.
///
/// It is not for values that change with every sample or block: those belong to the signal side.
public class ProcessingParameter<Value: Equatable & Sendable>: Observable, @unchecked Sendable {
  @usableFromInline let sequencer: ParameterSequencer<Value>

  /// The value in force: the last one that every applicator took. `$value` is its publisher.
  @CurrentValue public var value: Value

  /// How far the parameter is with what was asked of it. `$updateState` is its publisher.
  @CurrentValue public var updateState: UpdateState<Value>

  /// A parameter without applicators.
  ///
  /// - Parameters:
  ///   - initialValue: The value to begin with; it is not validated.
  ///   - scheduler: Where debounces and time-outs wait.
  ///   - validate: Which values the parameter takes; all if nil. Runs on the thread that applies.
  public convenience init(
    _ initialValue: Value, scheduler: any DeadlineScheduler = DispatchScheduler(),
    validate: (@Sendable (Value) -> Bool)? = nil
  ) {
    self.init(ParameterSequencer(initialValue, scheduler: scheduler, validate: validate))
  }

  convenience init(
    _ initialValue: Value, scheduler: any DeadlineScheduler,
    validate: (@Sendable (Value) -> Bool)? = nil, trace: ParameterTrace
  ) {
    self.init(
      ParameterSequencer(initialValue, scheduler: scheduler, validate: validate, trace: trace))
  }

  init(_ sequencer: ParameterSequencer<Value>) {
    self.sequencer = sequencer
    _value = CurrentValue(sequencer.values)
    _updateState = CurrentValue(sequencer.updates) { sequencer.watchUpdates() }
  }

  deinit {
    sequencer.release()
  }

  /// When applied values go to the applicators; `continuous` unless set.
  ///
  /// Setting `continuous` delivers a value that waits; any other mode leaves its deadline alone.
  public var deliveryMode: DeliveryMode {
    get { sequencer.deliveryMode }
    set { sequencer.deliveryMode = newValue }
  }

  /// Asks for a new value: every out-of-date applicator is asked whether it can, then each applies.
  ///
  /// It starts without a subscriber, at once or as `deliveryMode` says, on the calling thread if
  /// nothing is in flight; if all applicators answer at once, it is done when this returns.
  ///
  /// - Returns: The result: the value when it is in force, or why it is not. Nobody needs to watch.
  @inlinable
  @discardableResult
  public final func apply(_ value: Value) -> ResultPublisher<Value, ParameterError> {
    sequencer.apply(value)
  }

  /// A new applicator, last in order, which knows no value yet.
  ///
  /// Nothing is sent to it until the next sequence or `synchronizeApplicators()`.
  ///
  /// - Parameter name: Appears in the errors of the applicator.
  /// - Returns: The applicator. The parameter holds it weakly: keep it.
  public final func applicator(named name: String? = nil) -> ProcessingApplicator<Value> {
    sequencer.makeApplicator(named: name)
  }

  /// A new applicator for something that is already at `value`: the parameter and all other
  /// applicators follow, at once whatever the delivery mode; the new one is not asked.
  ///
  /// - Returns: The applicator, held weakly by the parameter, and the result for the others.
  public final func applicator(
    synchronizing value: Value
  ) -> (ProcessingApplicator<Value>, ResultPublisher<Value, ParameterError>) {
    sequencer.makeApplicator(synchronizing: value)
  }

  /// A new applicator for something that has been brought to `value` already: nobody is called.
  package final func applicator(at value: Value) -> ProcessingApplicator<Value> {
    sequencer.makeApplicator(at: value)
  }

  /// Brings every out-of-date applicator to the current value, for example after a reconnection.
  ///
  /// - Returns: The result: the value, which does not change, or which failure ended it.
  @discardableResult
  public final func synchronizeApplicators() -> ResultPublisher<Value, ParameterError> {
    sequencer.synchronize()
  }

  /// Delivers a value that waits for its interval (`DeliveryMode.discrete`) now.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public final func flush() -> Bool {
    sequencer.flush()
  }
}
