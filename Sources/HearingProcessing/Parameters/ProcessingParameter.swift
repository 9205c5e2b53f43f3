public import Observation

// This class is Sendable because the wrapped properties `value` and `updateState` are written only
// in `init`. The compiler cannot check that wrapped properties are never written later, because
// their storage is always a `var`. The stored property `access` is a constant, and the kernel's
// lock protects the state of `access`.
/// A parameter whose value changes only after its applicators have applied the new value.
///
///     let applicator = session.intensity.applicator().apply { value, result in … }
///     let token = session.intensity.$value.sink { print($0) }
///     let value = try await session.intensity.apply(0.5).get()
///
/// An applicator is out of date if its latest applied value differs from the new value. The
/// parameter calls the out-of-date applicators one after the other. All calls for one value form a
/// sequence. The parameter's value changes only when every called applicator has applied the new
/// value. The result of `apply` reports success or failure.
///
/// A parameter works with or without a session, as long as the parameter is retained. An app may
/// create its own parameters. Every method may be called from any thread, including from a handler
/// or a subscriber.
///
/// Do not use a parameter for values that change with every sample or block. Compute the values of
/// single samples or blocks in the code that renders audio.
public final class ProcessingParameter<Value: Equatable & Sendable>: Observable, @unchecked Sendable
{
  let access: LaneAccess<Value>

  /// The current value. The current value is the last value that all applicators have applied.
  /// `$value` publishes this property.
  @CurrentValue public var value: Value

  /// The progress of the current change, or the outcome of the last change. `$updateState`
  /// publishes this property.
  @CurrentValue public var updateState: UpdateState<Value>

  /// Creates a parameter without applicators.
  ///
  /// - Parameters:
  ///   - initialValue: The initial value, which is not validated.
  ///   - scheduler: The scheduler that runs the timers for debouncing and time-outs.
  ///   - validate: A closure that returns whether the parameter accepts a value. The closure runs
  ///     on the thread that calls `apply`. If `validate` is nil, all values are accepted.
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

  /// Specifies when new values are delivered to the applicators. The default is `continuous`.
  ///
  /// When `continuous` is set, a value that is being debounced is delivered immediately. Setting
  /// `discrete` or `latest` does not change the deadline of a value that is being debounced.
  public var deliveryMode: DeliveryMode {
    get { access.deliveryMode }
    set { access.deliveryMode = newValue }
  }

  /// Applies a new value. First the `canApply` handlers of all out-of-date applicators run. After
  /// these checks, the out-of-date applicators apply the value one after the other.
  ///
  /// `deliveryMode` decides when the applicators are called. A value waits if the mode delays the
  /// value, or if an earlier value is still being applied. If the value need not wait, the
  /// applicators are called on the thread that calls `apply`. If the value need not wait and all
  /// applicators answer immediately, the value is applied before `apply` returns.
  ///
  /// - Returns: The result: the applied value, or the error. The value is applied even if nobody
  ///   subscribes to the result.
  @discardableResult
  public func apply(_ value: Value) -> ResultPublisher<Value, ParameterError> {
    access.apply(value)
  }

  /// Creates an applicator, which is called after the existing applicators. The latest applied
  /// value of the new applicator is nil.
  ///
  /// The new applicator is not called until the next value is applied or `synchronizeApplicators()`
  /// is called. There is one exception: a new applicator of `isEnabled` is switched off at once if
  /// the session is interrupted.
  ///
  /// - Parameter name: The name of the applicator in errors.
  /// - Returns: The applicator. The caller must retain the applicator, because the parameter does
  ///   not.
  public func applicator(named name: String? = nil) -> ProcessingApplicator<Value> {
    access.makeApplicator(named: name)
  }

  /// Creates an applicator for a target that already has `value`. The other applicators apply
  /// `value`, which then becomes the current value of the parameter. `value` is delivered
  /// immediately in every delivery mode.
  ///
  /// - Parameters:
  ///   - name: The name of the applicator in errors.
  ///   - value: The value that the target already has.
  /// - Returns: The applicator and the result of applying `value`. The caller must retain the
  ///   applicator, because the parameter does not.
  public func applicator(
    named name: String? = nil, synchronizing value: Value
  ) -> (ProcessingApplicator<Value>, ResultPublisher<Value, ParameterError>) {
    access.makeApplicator(named: name, synchronizing: value)
  }

  /// Creates an applicator with all its handlers. The new applicator is called under the same
  /// conditions as an applicator of ``applicator(named:)``.
  ///
  ///     let applicator = session.intensity.applicator(named: "headphone") { intensity, result in
  ///       headphone.write(intensity) { error in result(error.map { .failure($0) } ?? .success) }
  ///     }
  ///
  /// - Parameters:
  ///   - name: The name of the applicator in errors.
  ///   - value: The value that the target already has, or nil if unknown.
  ///   - timeout: The maximum time for one call of `apply`. If the duration is zero or negative,
  ///     there is no time-out.
  ///   - canApply: Returns whether the target can apply a value. The check runs before any
  ///     applicator applies the value.
  ///   - apply: Applies a value. `apply` must call the closure in its second argument with the
  ///     result. `apply` may call the closure immediately or later, on any thread.
  /// - Returns: The applicator. The caller must retain the applicator, because the parameter does
  ///   not.
  public func applicator(
    named name: String? = nil, at value: Value? = nil, timeout: Duration = .seconds(10),
    canApply: @escaping @Sendable (Value) -> Bool = { _ in true },
    apply:
      @escaping @Sendable (Value, @escaping @Sendable (ApplicationResult) -> Void) -> Void
  ) -> ProcessingApplicator<Value> {
    access.makeApplicator(named: name, at: value)
      .timeout(timeout).canApply(canApply).apply(apply)
  }

  /// Creates an applicator with all its handlers. The async handler `apply` succeeds if it returns,
  /// and fails if it throws an error.
  public func applicator(
    named name: String? = nil, at value: Value? = nil, timeout: Duration = .seconds(10),
    canApply: @escaping @Sendable (Value) -> Bool = { _ in true },
    apply: @escaping @Sendable (Value) async throws -> Void
  ) -> ProcessingApplicator<Value> {
    access.makeApplicator(named: name, at: value)
      .timeout(timeout).canApply(canApply).apply(apply)
  }

  /// Applies the current value to every out-of-date applicator. An applicator is out of date if its
  /// ``ProcessingApplicator/latestAppliedValue`` is nil or differs. If a device reconnects, create
  /// a new applicator for the device. The old applicator would not be called, because its latest
  /// applied value does not differ.
  ///
  /// - Returns: The result: the current value, or an error. The current value does not change.
  @discardableResult
  public func synchronizeApplicators() -> ResultPublisher<Value, ParameterError> {
    access.synchronize()
  }

  /// Immediately delivers a value that is being debounced (`DeliveryMode.discrete`).
  ///
  /// - Returns: True if a value was being debounced.
  @discardableResult
  public func flush() -> Bool {
    access.flush()
  }
}
