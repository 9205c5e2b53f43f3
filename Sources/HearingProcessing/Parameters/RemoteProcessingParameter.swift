public import Observation

/// A parameter that can load its values from a source: a file, a server, a fitting.
///
///     let preset = try await session.preset.reload().get()
///
/// Values can also be applied directly, as with a `ProcessingParameter`. Nothing is loaded unless
/// `reload()` is called. Its delivery is always continuous.
public final class RemoteProcessingParameter<Value: Equatable & Sendable>:
  // Sendable because both wrapped properties are written in `init` only (the storage of a property
  // wrapper is always a `var`); everything else is constant, and its state is under the kernel's
  // lock.
  Observable, @unchecked Sendable
{
  private let loader: RemoteLoader<Value>
  var access: LaneAccess<Value> { loader.access }

  /// The current value: the last one that every applicator applied. `$value` is its publisher.
  @CurrentValue public var value: Value

  /// The progress of the parameter, or its last outcome. `$updateState` is its publisher.
  @CurrentValue public var updateState: UpdateState<Value>

  init(_ loader: RemoteLoader<Value>) {
    self.loader = loader
    _value = CurrentValue(loader.access.lane.values)
    _updateState = CurrentValue(loader.access.lane.statuses)
  }

  /// Creates a remote parameter with a custom source.
  ///
  /// - Parameters:
  ///   - initialValue: The value before anything was loaded; it is not validated.
  ///   - scheduler: Runs the time-outs.
  ///   - validate: Returns whether the parameter accepts a value; nil: all values.
  ///   - load: Returns a value; runs in its own task, which is cancelled when a newer load replaces
  ///     it.
  public convenience init(
    _ initialValue: Value, scheduler: any DeadlineScheduler = DispatchScheduler(),
    validate: (@Sendable (Value) -> Bool)? = nil,
    load: @escaping @Sendable () async throws -> Value
  ) {
    let access = LaneAccess(
      kernel: Kernel(scheduler: scheduler), lane: Lane(initialValue, index: 0), validate: validate)
    self.init(RemoteLoader(access: access) { load })
  }

  /// Loads a value and applies it.
  ///
  /// A new reload replaces a running one, which is cancelled and completes with
  /// `ParameterError.superseded`. A load never overwrites a value that was applied after it began.
  ///
  /// - Returns: The result: the value that was loaded and applied, or the error; `loadFailed` with
  ///   the source's error if loading failed, which changes nothing.
  @discardableResult
  public func reload() -> ResultPublisher<Value, ParameterError> {
    loader.reload()
  }

  /// Applies a new value; see `ProcessingParameter.apply(_:)`. A running load will not replace it.
  @discardableResult
  public func apply(_ value: Value) -> ResultPublisher<Value, ParameterError> {
    access.apply(value)
  }

  /// Creates an applicator that is last in order and has no latest applied value; see
  /// `ProcessingParameter.applicator(named:)`.
  public func applicator(named name: String? = nil) -> ProcessingApplicator<Value> {
    access.makeApplicator(named: name)
  }

  /// Creates an applicator for a target that already has `value`, and applies that value to the
  /// other applicators and the parameter.
  ///
  /// - Returns: The applicator, held weakly by the parameter, and the result of applying `value`.
  public func applicator(
    named name: String? = nil, synchronizing value: Value
  ) -> (ProcessingApplicator<Value>, ResultPublisher<Value, ParameterError>) {
    access.makeApplicator(named: name, synchronizing: value)
  }

  /// Creates an applicator with all its handlers; see `ProcessingParameter`. Nothing is applied to
  /// it until the next value or `synchronizeApplicators()`.
  public func applicator(
    named name: String? = nil, at value: Value? = nil, timeout: Duration = .seconds(10),
    canApply: @escaping @Sendable (Value) -> Bool = { _ in true },
    apply:
      @escaping @Sendable (Value, @escaping @Sendable (ApplicationResult) -> Void) -> Void
  ) -> ProcessingApplicator<Value> {
    access.makeApplicator(named: name, at: value).timeout(timeout).canApply(canApply).apply(apply)
  }

  /// The same with an async handler: returning is success, throwing is failure.
  public func applicator(
    named name: String? = nil, at value: Value? = nil, timeout: Duration = .seconds(10),
    canApply: @escaping @Sendable (Value) -> Bool = { _ in true },
    apply: @escaping @Sendable (Value) async throws -> Void
  ) -> ProcessingApplicator<Value> {
    access.makeApplicator(named: name, at: value).timeout(timeout).canApply(canApply).apply(apply)
  }

  /// Applies the current value to every out-of-date applicator, for example after a reconnection.
  ///
  /// - Returns: The result: the unchanged value, or the error that ended the transaction.
  @discardableResult
  public func synchronizeApplicators() -> ResultPublisher<Value, ParameterError> {
    access.synchronize()
  }
}
