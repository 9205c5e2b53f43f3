/// Applies a parameter's values to one target, such as a headphone or an audio unit.
///
///     let applicator = session.intensity.applicator()
///       .timeout(0.5)
///       .canApply { intensity in headphone.isConnected }
///       .apply { intensity, result in
///         headphone.write(intensity) { error in result(error.map { .failure($0) } ?? .success) }
///       }
///
/// A parameter does not retain its applicators. Retain an applicator as long as it should apply
/// values. Releasing the applicator, or calling `cancel()`, removes it from the parameter. If a
/// sequence waits for the answer of a removed applicator, the sequence continues on the thread that
/// removed the applicator. To observe values without applying them, subscribe to `$value`.
///
/// Handlers run on the thread that runs the sequence, and never under a lock. Handlers must not
/// block.
public final class ProcessingApplicator<Value: Equatable & Sendable>: Sendable, Identifiable {
  private let record: ApplicatorRecord
  private let access: LaneAccess<Value>

  init(record: ApplicatorRecord, access: LaneAccess<Value>) {
    self.record = record
    self.access = access
  }

  deinit {
    access.remove(record)
  }

  /// The name that was passed to `applicator(named:)`. Errors contain this name.
  public var name: String? { record.name }

  /// The last value that this applicator applied, or nil if unknown.
  ///
  /// The property is nil before the first value, and after a call that exceeded its time-out or got
  /// no answer. If the applicator has applied a value and the sequence fails later, the property
  /// keeps this value. If `Value` is optional, `.some(nil)` means that the applicator applied nil.
  public var latestAppliedValue: Value? { access.latestAppliedValue(of: record) }

  /// Sets the check whether this applicator can apply a value. All checks run before any applicator
  /// applies the value.
  ///
  /// If a check returns false, the sequence ends with `ParameterError.cannotApply` before anything
  /// is applied. An applicator without a check accepts every value.
  ///
  /// - Returns: This applicator, so that calls can be chained.
  public func canApply(
    _ verify: @escaping @Sendable (Value) -> Bool
  ) -> ProcessingApplicator {
    access.configure(record) { $0.verify = { verify(ValueBox<Value>.open($0)) } }
    return self
  }

  /// Sets the handler that applies a value. The handler passes the result to its second argument,
  /// at once or later, from any thread.
  ///
  /// Only the first answer counts. An answer after the time-out is ignored. If the handler releases
  /// its second argument without calling it, the sequence fails with `ParameterError.abandoned`. An
  /// applicator without this handler is skipped.
  ///
  /// - Returns: This applicator, so that calls can be chained.
  public func apply(
    _ apply:
      @escaping @Sendable (Value, @escaping @Sendable (ApplicationResult) -> Void) -> Void
  ) -> ProcessingApplicator {
    set { value, handler in apply(value) { handler.answer($0) } }
  }

  /// Sets the async handler that applies a value. The handler succeeds if it returns, and fails if
  /// it throws an error.
  ///
  /// Each call runs in its own task. The task is cancelled at the time-out, at the end of the
  /// session, and when the applicator is removed. After the cancellation, an error that the task
  /// throws is ignored.
  ///
  /// - Returns: This applicator, so that calls can be chained.
  public func apply(
    _ apply: @escaping @Sendable (Value) async throws -> Void
  ) -> ProcessingApplicator {
    set { value, handler in
      let task = TaskSlot()
      handler.onCancel { task.cancel() }
      task.set(
        Task {
          do {
            try await apply(value)
            handler.answer(.success)
          } catch {
            handler.answer(.failure(error))
          }
        })
    }
  }

  /// Replaces the `apply` handler. If a call of the previous handler is running, its answer still
  /// counts.
  private func set(
    _ apply: @escaping @Sendable (Value, ResultHandler) -> Void
  ) -> ProcessingApplicator {
    access.configure(record) { $0.apply = { apply(ValueBox<Value>.open($0), $1) } }
    return self
  }

  /// Sets a handler that applies a value on the main actor. `canApply` still runs on the thread
  /// that runs the sequence.
  ///
  /// - Returns: This applicator, so that calls can be chained.
  public func applyOnMainActor(
    _ apply: @escaping @MainActor @Sendable (Value) async throws -> Void
  ) -> ProcessingApplicator {
    self.apply { value async throws in try await apply(value) }
  }

  /// Sets the maximum time for applying one value, counted from the call of the `apply` handler.
  ///
  /// - Parameter seconds: The time-out in seconds, 10 by default. A value that is not finite and
  ///   positive means no time-out.
  /// - Returns: This applicator, so that calls can be chained.
  public func timeout(_ seconds: Double) -> ProcessingApplicator {
    let duration = Duration.wait(seconds: seconds)
    access.configure(record) { $0.timeout = duration }
    return self
  }

  /// Sets the maximum time for applying one value. A duration that is not positive means no
  /// time-out.
  public func timeout(_ duration: Duration) -> ProcessingApplicator {
    timeout(duration / .seconds(1))
  }

  /// Removes the applicator from its parameter permanently. Releasing the applicator does the same.
  public func cancel() {
    access.remove(record)
  }

  /// Adds the applicator to `applicators`, which retains it.
  public func store(in applicators: inout Set<AnyApplicator>) {
    applicators.insert(AnyApplicator(self))
  }
}

/// Retains an applicator of any value type, so that applicators of different types can be stored in
/// one set.
///
///     var applicators: Set<AnyApplicator> = []
///     session.intensity.applicator { … } apply: { … }.store(in: &applicators)
public struct AnyApplicator: Hashable, Sendable {
  private let applicator: any AnyObject & Sendable

  /// Retains `applicator`.
  public init<Value>(_ applicator: ProcessingApplicator<Value>) {
    self.applicator = applicator
  }

  /// Two instances are equal if they retain the same applicator.
  public static func == (left: AnyApplicator, right: AnyApplicator) -> Bool {
    left.applicator === right.applicator
  }

  /// Hashes the applicator's identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(applicator))
  }
}
