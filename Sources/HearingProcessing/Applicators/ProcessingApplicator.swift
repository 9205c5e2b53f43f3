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
    owner.configure(record) { handlers in
      handlers.apply = .init(apply)
      handlers.cancel = nil
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
    let task = RunningTask()
    let call: @Sendable (Value, @escaping @Sendable (ApplicationResult) -> Void) -> Void = {
      value, result in
      let running = Task {
        do {
          try await apply(value)
          result(.success)
        } catch {
          result(.failure(error))
        }
      }
      _ = task.set(running)
    }
    owner.configure(record) { handlers in
      handlers.apply = .init(call)
      handlers.cancel = { task.set(nil)?.cancel() }
    }
    return self
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

/// The task of an applicator's latest call.
private final class RunningTask: Sendable {
  private let task = Lock<Task<Void, Never>?>(nil)

  /// - Returns: The previous task.
  func set(_ newTask: Task<Void, Never>?) -> Task<Void, Never>? {
    task.withLock { task in
      let last = task
      task = newTask
      return last
    }
  }
}
