/// Applies a parameter's values to one target: a headphone, an audio unit, a processor.
///
///     let applicator = session.intensity.applicator()
///       .timeout(0.5)
///       .canApply { intensity in headphone.isConnected }
///       .apply { intensity, result in
///         headphone.write(intensity) { error in result(error.map { .failure($0) } ?? .success) }
///       }
///
/// A parameter holds its applicators weakly: retain the applicator for as long as it should apply.
/// Releasing it, or `cancel()`, removes it; a sequence that waits for its answer continues without
/// it, on the releasing thread. To observe values without applying them, subscribe to `$value`.
///
/// Handlers run on the thread that drives the sequence, never under a lock, and must not block.
public final class ProcessingApplicator<Value: Sendable>: Sendable, Identifiable {
  private let record: ApplicatorRecord<Value>
  private let owner: any ApplicatorOwner<Value>
  private let call = RunningCall()

  init(record: ApplicatorRecord<Value>, owner: any ApplicatorOwner<Value>) {
    self.record = record
    self.owner = owner
  }

  deinit {
    owner.remove(record)
  }

  /// The name given to `applicator(named:)`; errors contain it.
  public var name: String? { record.name }

  /// The last value that this applicator applied; nil if that is unknown.
  ///
  /// Nil before the first value, and after a time-out or an unanswered call. A value that this
  /// applicator applied stays here even if the sequence failed later. For an optional `Value`,
  /// never applied (nil) and applied nil are different.
  public var latestAppliedValue: Value? { owner.latestAppliedValue(of: record) }

  /// Sets the check that runs before any applicator applies: can this one apply the value?
  ///
  /// One `false` ends the sequence with `ParameterError.cannotApply` before anything is applied.
  /// Without a handler the answer is true.
  ///
  /// - Returns: This applicator, for the next call.
  public func canApply(
    _ verify: @escaping @Sendable (Value) -> Bool
  ) -> ProcessingApplicator {
    owner.configure(record) { $0.verify = .init(verify) }
    return self
  }

  /// Sets the handler that applies a value and answers, at once or later, from any thread.
  ///
  /// The first answer counts. An answer after the time-out is ignored; a result handler that is
  /// released unanswered fails the sequence with `ParameterError.abandoned`. An applicator without
  /// this handler takes part in no sequence.
  ///
  /// - Returns: This applicator, for the next call.
  public func apply(
    _ apply:
      @escaping @Sendable (Value, @escaping @Sendable (ApplicationResult) -> Void) -> Void
  ) -> ProcessingApplicator {
    set { [call] value, result in
      let run = call.begin()
      apply(value) { answer in
        result(answer)
        call.end(run)
      }
    }
    return self
  }

  /// Sets the async handler that applies a value: returning is success, throwing is failure.
  ///
  /// Each call runs in its own task. The task is cancelled by the time-out, by the end of the
  /// session, and when the applicator is removed; an error that it throws then is ignored.
  ///
  /// - Returns: This applicator, for the next call.
  public func apply(
    _ apply: @escaping @Sendable (Value) async throws -> Void
  ) -> ProcessingApplicator {
    set { [call] value, result in
      let run = call.begin()
      let task = Task {
        do {
          try await apply(value)
          result(.success)
        } catch {
          result(.failure(error))
        }
        call.end(run)
      }
      run.keep(task)
    }
    return self
  }

  /// Replaces the `apply` handler. A call of the replaced one is still cancelled when it ends.
  private func set(
    _ apply:
      @escaping @Sendable (Value, @escaping @Sendable (ApplicationResult) -> Void) -> Void
  ) {
    owner.configure(record) { [call] handlers in
      handlers.apply = .init(apply)
      handlers.cancel = { call.cancel() }
    }
  }

  /// Sets a handler that applies a value on the main actor; `canApply` still runs on the thread
  /// that drives the sequence.
  ///
  /// - Returns: This applicator, for the next call.
  public func applyOnMainActor(
    _ apply: @escaping @MainActor @Sendable (Value) async throws -> Void
  ) -> ProcessingApplicator {
    self.apply { value async throws in try await apply(value) }
  }

  /// Sets how long applying one value may take, counted from the call of the `apply` handler.
  ///
  /// - Parameter seconds: Default: 10. A value that is not finite and positive means no time-out.
  /// - Returns: This applicator, for the next call.
  public func timeout(_ seconds: Double) -> ProcessingApplicator {
    let duration = Duration.wait(seconds: seconds)
    owner.configure(record) { $0.timeout = duration }
    return self
  }

  /// The same as `timeout(_:)` in seconds.
  public func timeout(_ duration: Duration) -> ProcessingApplicator {
    timeout(duration / .seconds(1))
  }

  /// Removes the applicator from its parameter permanently. Releasing the applicator does the same.
  public func cancel() {
    owner.remove(record)
  }

  /// Adds the applicator to `applicators`, which retains it.
  public func store(in applicators: inout Set<AnyApplicator>) {
    applicators.insert(AnyApplicator(self))
  }
}

/// Keeps an applicator of any value alive, together with others.
///
///     var applicators: Set<AnyApplicator> = []
///     session.intensity.applicator { … } apply: { … }.store(in: &applicators)
public struct AnyApplicator: Hashable, Sendable {
  private let applicator: any AnyObject & Sendable

  /// Retains `applicator`.
  public init<Value>(_ applicator: ProcessingApplicator<Value>) {
    self.applicator = applicator
  }

  /// Two are equal if they retain the same applicator.
  public static func == (left: AnyApplicator, right: AnyApplicator) -> Bool {
    left.applicator === right.applicator
  }

  /// Hashes the applicator's identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(applicator))
  }
}

/// An applicator's answer to a value that it was asked to apply.
public enum ApplicationResult: Sendable {
  /// The value was applied.
  case success
  /// The value was not applied; the error is the cause.
  case failure(any Error)
}

/// The functions of a parameter that its applicators call.
protocol ApplicatorOwner<Value>: AnyObject, Sendable {
  associatedtype Value: Sendable

  /// Changes handlers; replaced handlers are released outside the owner's lock.
  func configure(
    _ record: ApplicatorRecord<Value>,
    _ change: @Sendable (inout ApplicatorRecord<Value>.Handlers) -> Void)

  /// Reads `record.latest`.
  func latestAppliedValue(of record: ApplicatorRecord<Value>) -> Value?

  /// Removes the applicator permanently: a sequence that waits for it continues without it.
  func remove(_ record: ApplicatorRecord<Value>)
}

/// An applicator's latest call, so that it can be cancelled whatever handler it uses, also while it
/// begins.
private final class RunningCall: Sendable {
  private let state = Lock(State())

  private struct State: Sendable {
    var run: Run?
    /// Whether a call was cancelled before its handler began.
    var isCancelled = false
  }

  /// The handler of a new call begins.
  func begin() -> Run {
    let run = Run()
    let (isCancelled, _) = state.withLock { state in
      let last = state.run
      defer { state = State(run: run) }
      return (state.isCancelled, last)
    }
    if isCancelled { run.cancel() }
    return run
  }

  /// The call was answered, and its answer was handed on.
  func end(_ run: Run) {
    _ = state.withLock { state in
      state.run === run ? state.run.take() : nil
    }
  }

  /// Cancels the call; if its handler has not begun, the next one is cancelled when it begins.
  func cancel() {
    let run = state.withLock { state in
      state.isCancelled = state.run == nil
      return state.run
    }
    run?.cancel()
  }
}

/// One call of an async handler.
private final class Run: Sendable {
  private let state = Lock(State())

  private struct State: Sendable {
    var task: Task<Void, Never>?
    var isCancelled = false
  }

  func keep(_ task: Task<Void, Never>) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }
}
