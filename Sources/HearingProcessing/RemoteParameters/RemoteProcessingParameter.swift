/// A parameter whose values are loaded from somewhere: a file, a server, a fitting.
///
///     let preset = try await session.preset.reload().get()
///
/// Values can be applied by hand as well. Nothing is loaded unless `reload()` is called. Its
/// delivery is always continuous.
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

  /// A remote parameter of your own.
  ///
  /// - Parameters:
  ///   - initialValue: The value before anything was loaded; it is not validated.
  ///   - scheduler: Where time-outs wait.
  ///   - validate: Which values the parameter takes; all if nil.
  ///   - load: Brings a value; runs in a task of its own, which is cancelled when a newer load
  ///     replaces it.
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
  /// changed since it began; otherwise a new load takes its place, and the older one completes with
  /// `ParameterError.superseded`. A load never overwrites a value that was applied after it began.
  ///
  /// - Returns: The result: the value that was loaded and is in force, or why it is not;
  ///   `loadFailed` with the source's error if nothing could be loaded, which changes nothing.
  @discardableResult
  public func reload() -> ResultPublisher<Value, ParameterError> {
    loader.reload()
  }

  /// A reload that follows a recommendation.
  func reloadAsRecommended() -> ResultPublisher<Value, ParameterError> {
    loader.reload(isRecommended: true)
  }

  /// Always `continuous`: setting it, which only the superclass allows, changes nothing.
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
