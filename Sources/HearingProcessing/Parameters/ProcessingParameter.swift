public import Observation

// Sendable because both wrapped properties are written in `init` only (the storage of a property
// wrapper is always a `var`); everything else is constant, and its state is under the kernel's
// lock.
/// A value that all applicators apply, one after the other, before it becomes the current value.
///
///     let applicator = session.intensity.applicator().apply { value, result in … }
///     let token = session.intensity.$value.sink { print($0) }
///     let value = try await session.intensity.apply(0.5).get()
///
/// The value changes only when every out-of-date applicator has applied it; the result of `apply`
/// reports that. A parameter works as long as it is retained, with or without a session; an app may
/// create its own. Any method may be called from any thread, also inside a handler or a subscriber.
///
/// It is not for values that change with every sample or block; those belong to the render side.
public final class ProcessingParameter<Value: Equatable & Sendable>: Observable, @unchecked Sendable
{
  let access: LaneAccess<Value>

  /// The current value: the last one that every applicator applied. `$value` is its publisher.
  @CurrentValue public var value: Value

  /// The progress of the parameter, or its last outcome. `$updateState` is its publisher.
  @CurrentValue public var updateState: UpdateState<Value>

  /// Creates a parameter without applicators.
  ///
  /// - Parameters:
  ///   - initialValue: The value to begin with; it is not validated.
  ///   - scheduler: Runs the debounces and time-outs.
  ///   - validate: Returns whether the parameter accepts a value; nil: all values. Runs on the
  ///     thread that applies.
  public convenience init(
    _ initialValue: Value, scheduler: any DeadlineScheduler = DispatchScheduler(),
    validate: (@Sendable (Value) -> Bool)? = nil
  ) {
    let lane = Lane(initialValue, index: 0)
    self.init(LaneAccess(kernel: Kernel(scheduler: scheduler), lane: lane, validate: validate))
  }

  init(_ access: LaneAccess<Value>) {
    self.access = access
    _value = CurrentValue(access.lane.values)
    _updateState = CurrentValue(access.lane.statuses)
  }

  /// When applied values go to the applicators; default: `continuous`.
  ///
  /// Setting `continuous` delivers a debounced value at once; other modes keep its deadline.
  public var deliveryMode: DeliveryMode {
    get { access.deliveryMode }
    set { access.deliveryMode = newValue }
  }

  /// Applies a new value: first all out-of-date applicators run `canApply`, then each applies it.
  ///
  /// It needs no subscriber to start. `deliveryMode` decides when it starts; it starts on the
  /// calling thread if nothing is in flight. If all applicators answer at once, the sequence has
  /// ended when this returns.
  ///
  /// - Returns: The result: the value once it is applied, or the error. It needs no subscriber.
  @discardableResult
  public func apply(_ value: Value) -> ResultPublisher<Value, ParameterError> {
    access.apply(value)
  }

  /// Creates an applicator that is last in order and has no latest applied value.
  ///
  /// It is not called until the next sequence or `synchronizeApplicators()`.
  ///
  /// - Parameter name: Appears in the errors of the applicator.
  /// - Returns: The applicator. The parameter holds it weakly: retain it.
  public func applicator(named name: String? = nil) -> ProcessingApplicator<Value> {
    access.makeApplicator(named: name)
  }

  /// Creates an applicator for a target that already has `value`, and applies that value to the
  /// other applicators and the parameter at once, in every delivery mode.
  ///
  /// - Parameters:
  ///   - name: Appears in the errors of the applicator.
  ///   - value: The value that the target has.
  /// - Returns: The applicator, held weakly by the parameter, and the result of applying `value`.
  public func applicator(
    named name: String? = nil, synchronizing value: Value
  ) -> (ProcessingApplicator<Value>, ResultPublisher<Value, ParameterError>) {
    access.makeApplicator(named: name, synchronizing: value)
  }

  /// Creates an applicator with all its handlers. Nothing is applied to it until the next sequence
  /// or `synchronizeApplicators()`.
  ///
  ///     let applicator = session.intensity.applicator(named: "headphone") { intensity, result in
  ///       headphone.write(intensity) { error in result(error.map { .failure($0) } ?? .success) }
  ///     }
  ///
  /// - Parameters:
  ///   - name: Appears in the errors of the applicator.
  ///   - value: The value that the target already has; nil: unknown.
  ///   - timeout: How long one call may take. A duration that is not positive means no time-out.
  ///   - canApply: Whether the target can apply a value; runs before any applicator applies.
  ///   - apply: Applies a value and answers, at once or later, from any thread.
  /// - Returns: The applicator. The parameter holds it weakly: retain it.
  public func applicator(
    named name: String? = nil, at value: Value? = nil, timeout: Duration = .seconds(10),
    canApply: @escaping @Sendable (Value) -> Bool = { _ in true },
    apply:
      @escaping @Sendable (Value, @escaping @Sendable (ApplicationResult) -> Void) -> Void
  ) -> ProcessingApplicator<Value> {
    access.makeApplicator(named: name, at: value)
      .timeout(timeout).canApply(canApply).apply(apply)
  }

  /// The same with an async handler: returning is success, throwing is failure.
  public func applicator(
    named name: String? = nil, at value: Value? = nil, timeout: Duration = .seconds(10),
    canApply: @escaping @Sendable (Value) -> Bool = { _ in true },
    apply: @escaping @Sendable (Value) async throws -> Void
  ) -> ProcessingApplicator<Value> {
    access.makeApplicator(named: name, at: value)
      .timeout(timeout).canApply(canApply).apply(apply)
  }

  /// Applies the current value to every out-of-date applicator, for example after a reconnection.
  ///
  /// - Returns: The result: the unchanged value, or the error that ended the sequence.
  @discardableResult
  public func synchronizeApplicators() -> ResultPublisher<Value, ParameterError> {
    access.synchronize()
  }

  /// Delivers a debounced value (`DeliveryMode.discrete`) now.
  ///
  /// - Returns: Whether a value was waiting.
  @discardableResult
  public func flush() -> Bool {
    access.flush()
  }
}
