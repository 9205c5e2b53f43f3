public import Observation

// This class is Sendable because the wrapped properties `value` and `updateState` are written only
// in `init`. The compiler cannot check that wrapped properties are never written later, because the
// storage of a wrapped property is always a `var`. The stored property `access` is a constant, and
// the kernel's lock protects the state of `access`.
/// A parameter whose value changes only after its applicators have applied the new value.
///
///     let applicator = session.intensity.applicator().apply { value, result in … }
///     let token = session.intensity.$value.sink { print($0) }
///     let value = try await session.intensity.apply(0.5).get()
///
/// An applicator applies the parameter's values to one target, for example to a headphone. An
/// applicator is out of date if the last value that it applied differs from the new value. The
/// parameter calls the out-of-date applicators one after the other. The term "sequence" means all
/// calls for one new value. The parameter's value changes only when every called applicator has
/// applied the new value. The result of `apply` reports success or failure.
///
/// A parameter works with or without a session. The app must retain a parameter as long as the app
/// uses the parameter. An app may create its own parameters. Every method may be called from any
/// thread, including from a handler or a subscriber.
///
/// Do not use a parameter for a value that changes with every audio sample or with every block of
/// audio samples. Compute such a value in the code that renders audio.
public final class ProcessingParameter<Value: Equatable & Sendable>: Observable, @unchecked Sendable
{
  let access: LaneAccess<Value>

  /// The current value. A new value becomes the current value when all applicators have applied the
  /// new value. The publisher of this property is `$value`.
  @CurrentValue public var value: Value

  /// The progress of the change that is running. If no change is running, the outcome of the last
  /// change. The publisher of this property is `$updateState`.
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
  /// In the mode `discrete`, a value waits until the end of its debounce interval. If the app sets
  /// the mode `continuous`, a value that is already waiting is delivered immediately. If the app
  /// sets the mode `discrete` or `latest`, a value that is already waiting still waits until the
  /// end of its interval.
  public var deliveryMode: DeliveryMode {
    get { access.deliveryMode }
    set { access.deliveryMode = newValue }
  }

  /// Applies a new value to every applicator that does not have this value yet. First the
  /// `canApply` handlers of these applicators run. After these checks, the applicators apply the
  /// value one after the other.
  ///
  /// `deliveryMode` decides when the applicators are called. A value waits if the delivery mode
  /// delays the value, or if an earlier value is still being applied. If the value need not wait,
  /// the applicators are called on the thread that calls `apply`. If the value need not wait and
  /// all applicators answer immediately, the value is applied before `apply` returns.
  ///
  /// - Returns: A publisher of the result: the applied value, or the error. The value is applied
  ///   even if the publisher has no subscriber.
  @discardableResult
  public func apply(_ value: Value) -> ResultPublisher<Value, ParameterError> {
    access.apply(value)
  }

  /// Creates an applicator, which is called after the existing applicators. The latest applied
  /// value of the new applicator is nil.
  ///
  /// The new applicator is called for the first time when the next value is applied, or when
  /// `synchronizeApplicators()` is called. There is one exception. If the session is interrupted,
  /// the new applicator of `isEnabled` is switched off at once.
  ///
  /// - Parameter name: The name that identifies the applicator in errors.
  /// - Returns: The applicator. The caller must retain the applicator, because the parameter does
  ///   not retain it.
  public func applicator(named name: String? = nil) -> ProcessingApplicator<Value> {
    access.makeApplicator(named: name)
  }

  /// Creates an applicator for a target that already has `value`. The other applicators apply
  /// `value`. When these applicators have applied `value`, `value` becomes the current value of the
  /// parameter. No delivery mode delays `value`.
  ///
  /// - Parameters:
  ///   - name: The name that identifies the applicator in errors.
  ///   - value: The value that the target already has.
  /// - Returns: The applicator and the result of applying `value`. The caller must retain the
  ///   applicator, because the parameter does not retain it.
  public func applicator(
    named name: String? = nil, synchronizing value: Value
  ) -> (ProcessingApplicator<Value>, ResultPublisher<Value, ParameterError>) {
    access.makeApplicator(named: name, synchronizing: value)
  }

  /// Creates an applicator with all its handlers. The documentation of ``applicator(named:)`` says
  /// when the new applicator is called.
  ///
  ///     let applicator = session.intensity.applicator(named: "headphone") { intensity, result in
  ///       headphone.write(intensity) { error in result(error.map { .failure($0) } ?? .success) }
  ///     }
  ///
  /// - Parameters:
  ///   - name: The name that identifies the applicator in errors.
  ///   - value: The value that the target already has, or nil if unknown.
  ///   - timeout: The maximum time for one call of `apply`. If the duration is zero or negative,
  ///     there is no time-out.
  ///   - canApply: Returns whether the target can apply a value. The check runs before any
  ///     applicator applies the value.
  ///   - apply: Applies a value. `apply` must call the closure in its second argument with the
  ///     result. `apply` may call the closure immediately or later, on any thread.
  /// - Returns: The applicator. The caller must retain the applicator, because the parameter does
  ///   not retain it.
  public func applicator(
    named name: String? = nil, at value: Value? = nil, timeout: Duration = .seconds(10),
    canApply: @escaping @Sendable (Value) -> Bool = { _ in true },
    apply:
      @escaping @Sendable (Value, @escaping @Sendable (ApplicationResult) -> Void) -> Void
  ) -> ProcessingApplicator<Value> {
    access.makeApplicator(named: name, at: value)
      .timeout(timeout).canApply(canApply).apply(apply)
  }

  /// Creates an applicator with all its handlers. If the async handler `apply` returns, the value
  /// counts as applied. If `apply` throws an error, the value counts as not applied.
  public func applicator(
    named name: String? = nil, at value: Value? = nil, timeout: Duration = .seconds(10),
    canApply: @escaping @Sendable (Value) -> Bool = { _ in true },
    apply: @escaping @Sendable (Value) async throws -> Void
  ) -> ProcessingApplicator<Value> {
    access.makeApplicator(named: name, at: value)
      .timeout(timeout).canApply(canApply).apply(apply)
  }

  /// Applies the current value to every out-of-date applicator. An applicator is out of date if its
  /// ``ProcessingApplicator/latestAppliedValue`` is nil or differs from the current value. If a
  /// device reconnects, create a new applicator for the device. The latest applied value of the old
  /// applicator equals the current value, so this method would not call the old applicator.
  ///
  /// - Returns: A publisher of the result: the current value, or an error. This method never
  ///   changes the current value.
  @discardableResult
  public func synchronizeApplicators() -> ResultPublisher<Value, ParameterError> {
    access.synchronize()
  }

  /// Delivers a debounced value immediately. In the mode `DeliveryMode.discrete`, a debounced value
  /// waits for the end of its interval.
  ///
  /// - Returns: True if a debounced value was waiting.
  @discardableResult
  public func flush() -> Bool {
    access.flush()
  }
}
