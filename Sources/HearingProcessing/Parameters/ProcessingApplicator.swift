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

  /// The name given to `applicator(named:)`; errors contain it.
  public var name: String? { record.name }

  /// The last value that this applicator applied; nil if that is unknown.
  ///
  /// Nil before the first value, and after a time-out or an unanswered call. A value that this
  /// applicator applied stays here even if the sequence failed later. For an optional `Value`,
  /// never applied (nil) and applied nil are different.
  public var latestAppliedValue: Value? { access.latestAppliedValue(of: record) }

  /// Sets the check that runs before any applicator applies: can this one apply the value?
  ///
  /// One `false` ends the sequence with `ParameterError.cannotApply` before anything is applied.
  /// Without a handler the answer is true.
  ///
  /// - Returns: This applicator, for the next call.
  public func canApply(
    _ verify: @escaping @Sendable (Value) -> Bool
  ) -> ProcessingApplicator {
    access.configure(record) { $0.verify = { verify(ValueBox<Value>.open($0)) } }
    return self
  }

  /// Sets the handler that applies a value and answers, at once or later, from any thread.
  ///
  /// The first answer counts. An answer after the time-out is ignored; a result handler that is
  /// released unanswered fails the sequence with `ParameterError.abandoned`. An applicator without
  /// this handler is skipped.
  ///
  /// - Returns: This applicator, for the next call.
  public func apply(
    _ apply:
      @escaping @Sendable (Value, @escaping @Sendable (ApplicationResult) -> Void) -> Void
  ) -> ProcessingApplicator {
    set { value, handler in apply(value) { handler.answer($0) } }
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

  /// Replaces the `apply` handler; a call of the replaced one still counts.
  private func set(
    _ apply: @escaping @Sendable (Value, ResultHandler) -> Void
  ) -> ProcessingApplicator {
    access.configure(record) { $0.apply = { apply(ValueBox<Value>.open($0), $1) } }
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
    access.configure(record) { $0.timeout = duration }
    return self
  }

  /// The same as `timeout(_:)` in seconds.
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

/// Retains an applicator of any value type, so that several fit into one set.
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
