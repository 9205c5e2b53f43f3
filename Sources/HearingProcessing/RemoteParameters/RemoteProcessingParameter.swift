/// A parameter that can load its values from a source: a file, a server, a fitting.
///
///     let preset = try await session.preset.reload().get()
///
/// Values can also be applied directly. Nothing is loaded unless `reload()` is called. Its delivery
/// is always continuous.
public final class RemoteProcessingParameter<Value: Equatable & Sendable>:
  ProcessingParameter<Value>,
  // Sendable because `loader` is written in `init` only and does its own locking, as the inherited
  // state does.
  @unchecked Sendable
{
  private let loader: RemoteLoader<Value>

  init(
    _ initialValue: Value, scheduler: any DeadlineScheduler, source: RemoteSource<Value>,
    validate: (@Sendable (Value) -> Bool)? = nil, trace: ParameterTrace? = nil
  ) {
    let sequencer = ParameterSequencer(
      initialValue, scheduler: scheduler, isAlwaysContinuous: true, validate: validate,
      trace: trace)
    loader = RemoteLoader(source: source, sequencer: sequencer)
    super.init(sequencer)
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
    let source = RemoteSource<Value> { .init(generation: 0, run: load) }
    self.init(initialValue, scheduler: scheduler, source: source, validate: validate)
  }

  /// Loads a value and applies it.
  ///
  /// Reloads that overlap share one load as long as neither the source nor the parameter has
  /// changed since it began; otherwise a new load replaces it, and the older one completes with
  /// `ParameterError.superseded`. A load never overwrites a value that was applied after it began.
  ///
  /// - Returns: The result: the value that was loaded and applied, or the error; `loadFailed` with
  ///   the source's error if loading failed, which changes nothing.
  @discardableResult
  public func reload() -> ResultPublisher<Value, ParameterError> {
    loader.reload()
  }

  /// Reloads because of a recommendation.
  func reloadAsRecommended() -> ResultPublisher<Value, ParameterError> {
    loader.reload(isRecommended: true)
  }

  /// Always `continuous`: setting it, which only the superclass allows, has no effect.
  @available(*, unavailable, message: "a remote parameter delivers continuously")
  public override var deliveryMode: DeliveryMode {
    get { super.deliveryMode }
    set { super.deliveryMode = newValue }
  }

  func close() {
    loader.close()
  }
}

/// Where a remote parameter's values come from.
struct RemoteSource<Value: Sendable>: Sendable {
  /// Reads the source's state; called on the thread that reloads.
  let begin: @Sendable () -> Load

  /// One load, not yet begun.
  struct Load: Sendable {
    /// Counts the changes of the source: two loads of equal generation load the same.
    let generation: UInt64
    let run: @Sendable () async throws -> Value
  }
}
