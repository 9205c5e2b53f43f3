public import Observation

/// A parameter that can load its values from a source. The source is, for example, a file, a server
/// or the computation of a preset.
///
///     let preset = try await session.preset.reload().get()
///
/// An app can also apply a value directly with `apply(_:)`. Only `reload()` loads a value. The
/// delivery mode is always `continuous`, so the parameter delivers each value immediately.
public final class RemoteProcessingParameter<Value: Equatable & Sendable>:
  // This class is Sendable because the wrapped properties `value` and `updateState` are written
  // only in `init`. The compiler cannot check that wrapped properties are never written later,
  // because the storage of a wrapped property is always a `var`. The stored property `loader` is a
  // constant, and the kernel's lock protects the state of `loader`.
  Observable, @unchecked Sendable
{
  private let loader: RemoteLoader<Value>
  var access: LaneAccess<Value> { loader.access }

  /// The current value. A new value becomes the current value when all applicators have applied the
  /// new value. The publisher of this property is `$value`.
  @CurrentValue public var value: Value

  /// The progress of the change that is running. If no change is running, the outcome of the last
  /// change. The publisher of this property is `$updateState`.
  @CurrentValue public var updateState: UpdateState<Value>

  init(_ loader: RemoteLoader<Value>) {
    self.loader = loader
    _value = CurrentValue(loader.access.lane.values)
    _updateState = CurrentValue(loader.access.lane.statuses)
  }

  /// Creates a remote parameter with a custom source.
  ///
  /// - Parameters:
  ///   - initialValue: The value before the first load. The initial value is not validated.
  ///   - scheduler: The scheduler that runs the timers for time-outs.
  ///   - validate: A closure that returns whether the parameter accepts a value. If `validate` is
  ///     nil, all values are accepted.
  ///   - load: Loads and returns a value. The closure runs in its own task. The task of a load is
  ///     cancelled when a newer load begins.
  public convenience init(
    _ initialValue: Value, scheduler: any DeadlineScheduler = DispatchScheduler(),
    validate: (@Sendable (Value) -> Bool)? = nil,
    load: @escaping @Sendable () async throws -> Value
  ) {
    let access = LaneAccess(
      kernel: Kernel(scheduler: scheduler), lane: Lane(initialValue, index: 0), validate: validate)
    self.init(RemoteLoader(access: access) { load })
  }

  /// Loads a value, and then applies the loaded value.
  ///
  /// A new reload cancels a reload that is still running. The result of the cancelled reload is
  /// `ParameterError.superseded`. A load never overwrites a value that was applied after the load
  /// began.
  ///
  /// - Returns: A publisher of the result: the value that was loaded and applied, or the error. If
  ///   loading fails, the current value does not change, and the error is `loadFailed` with the
  ///   error of the source.
  @discardableResult
  public func reload() -> ResultPublisher<Value, ParameterError> {
    loader.reload()
  }

  /// Applies a new value, as described in `ProcessingParameter.apply(_:)`. A load that is already
  /// running does not replace the new value.
  @discardableResult
  public func apply(_ value: Value) -> ResultPublisher<Value, ParameterError> {
    access.apply(value)
  }

  /// Creates an applicator, which is called after the existing applicators. See
  /// `ProcessingParameter.applicator(named:)`.
  public func applicator(named name: String? = nil) -> ProcessingApplicator<Value> {
    access.makeApplicator(named: name)
  }

  /// Creates an applicator for a target that already has `value`. The other applicators apply
  /// `value`. When these applicators have applied `value`, `value` becomes the current value of the
  /// parameter.
  ///
  /// - Returns: The applicator and the result of applying `value`. The caller must retain the
  ///   applicator, because the parameter does not retain it.
  public func applicator(
    named name: String? = nil, synchronizing value: Value
  ) -> (ProcessingApplicator<Value>, ResultPublisher<Value, ParameterError>) {
    access.makeApplicator(named: name, synchronizing: value)
  }

  /// Creates an applicator with all its handlers. The new applicator is called for the first time
  /// when the next value is applied, or when `synchronizeApplicators()` is called. The
  /// documentation of `ProcessingParameter` describes the arguments.
  public func applicator(
    named name: String? = nil, at value: Value? = nil, timeout: Duration = .seconds(10),
    canApply: @escaping @Sendable (Value) -> Bool = { _ in true },
    apply:
      @escaping @Sendable (Value, @escaping @Sendable (ApplicationResult) -> Void) -> Void
  ) -> ProcessingApplicator<Value> {
    access.makeApplicator(named: name, at: value).timeout(timeout).canApply(canApply).apply(apply)
  }

  /// Creates an applicator with all its handlers. If the async handler `apply` returns, the value
  /// counts as applied. If `apply` throws an error, the value counts as not applied.
  public func applicator(
    named name: String? = nil, at value: Value? = nil, timeout: Duration = .seconds(10),
    canApply: @escaping @Sendable (Value) -> Bool = { _ in true },
    apply: @escaping @Sendable (Value) async throws -> Void
  ) -> ProcessingApplicator<Value> {
    access.makeApplicator(named: name, at: value).timeout(timeout).canApply(canApply).apply(apply)
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
}
