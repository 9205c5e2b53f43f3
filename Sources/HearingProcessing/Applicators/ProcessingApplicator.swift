/// Brings a parameter's values into force somewhere: in a headphone, an audio unit, a processor.
///
///     let applicator = session.intensity.applicator()
///       .timeout(0.5)
///       .canApply { intensity in headphone.isConnected }
///       .apply { intensity, result in
///         headphone.write(intensity) { error in result(error.map { .failure($0) } ?? .success) }
///       }
///
/// A parameter holds its applicators weakly: keep the applicator for as long as it is to apply.
/// Releasing it, or `cancel()`, takes it out; a sequence that waits for its answer goes on without
/// it, on the releasing thread. An applicator applies; to watch values, subscribe to `$value`.
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

  /// The name that the parameter was asked for it with; errors carry it.
  public var name: String? { record.name }

  /// The value that this applicator has applied last, as far as is known.
  ///
  /// Nil before the first value, and after a time-out or an unanswered call, when nobody knows. A
  /// value that was applied in a sequence which failed later stands here all the same. For an
  /// optional `Value`, never applied (nil) and applied nil are different.
  public var latestAppliedValue: Value? { owner.latestAppliedValue(of: record) }

  /// Sets what is asked before any applicator applies: can this one apply the value?
  ///
  /// One `false` ends the sequence with `ParameterError.cannotApply` before anything was applied.
  /// Without a handler the answer is true.
  ///
  /// - Returns: This applicator, for the next call.
  public func canApply(
    _ verify: @escaping @Sendable (Value) -> Bool
  ) -> ProcessingApplicator {
    owner.configure(record) { $0.verify = .init(verify) }
    return self
  }

  /// Sets what applies a value and answers, at once or later, from any thread.
  ///
  /// The first answer counts. An answer after the time-out is ignored; a result handler that is
  /// dropped unanswered fails the sequence with `ParameterError.abandoned`. Until it has this
  /// handler, an applicator is in no sequence.
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

  /// Sets what applies a value: returning is success, throwing is failure.
  ///
  /// Each call runs in a task of its own, which is cancelled by the time-out, by the end of the
  /// session, and when the applicator leaves; what it throws then is ignored.
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

  /// Sets what applies a value on the main actor; `canApply` stays on the calling thread.
  ///
  /// - Returns: This applicator, for the next call.
  public func applyOnMainActor(
    _ apply: @escaping @MainActor @Sendable (Value) async throws -> Void
  ) -> ProcessingApplicator {
    self.apply { value async throws in try await apply(value) }
  }

  /// Sets how long applying one value may take, counted from the call of the `apply` handler.
  ///
  /// - Parameter seconds: 10 unless set; a value that is not finite and positive means for ever.
  /// - Returns: This applicator, for the next call.
  public func timeout(_ seconds: Double) -> ProcessingApplicator {
    let duration = Duration.wait(seconds: seconds)
    owner.configure(record) { $0.timeout = duration }
    return self
  }

  /// As `timeout(_:)` with seconds.
  public func timeout(_ duration: Duration) -> ProcessingApplicator {
    timeout(duration / .seconds(1))
  }

  /// Leaves the parameter for good, as if the applicator were released.
  public func cancel() {
    owner.remove(record)
  }
}

/// What an applicator answers when it was asked to apply a value.
public enum ApplicationResult: Sendable {
  /// The value is in force.
  case success
  /// The value is not in force, and this is why.
  case failure(any Error)
}

/// What an applicator asks of the parameter that it belongs to.
protocol ApplicatorOwner<Value>: AnyObject, Sendable {
  associatedtype Value: Sendable

  /// Changes handlers; what they replace is released outside the owner's lock.
  func configure(
    _ record: ApplicatorRecord<Value>,
    _ change: @Sendable (inout ApplicatorRecord<Value>.Handlers) -> Void)

  /// Reads `record.latest`.
  func latestAppliedValue(of record: ApplicatorRecord<Value>) -> Value?

  /// The applicator leaves for good: a sequence that waits for it goes on without it.
  func remove(_ record: ApplicatorRecord<Value>)
}

/// The task of an applicator's latest call.
private final class RunningTask: Sendable {
  private let task = Lock<Task<Void, Never>?>(nil)

  /// - Returns: The task before.
  func set(_ newTask: Task<Void, Never>?) -> Task<Void, Never>? {
    task.withLock { task in
      let last = task
      task = newTask
      return last
    }
  }
}
