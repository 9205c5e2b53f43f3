/// Applies a parameter's values to one target, such as a headphone or an audio unit.
///
///     let applicator = session.intensity.applicator()
///       .timeout(0.5)
///       .canApply { intensity in headphone.isConnected }
///       .apply { intensity, result in
///         headphone.write(intensity) { error in result(error.map { .failure($0) } ?? .success) }
///       }
///
/// A parameter does not retain its applicators. Retain an applicator as long as the applicator
/// should apply values. An applicator is removed from its parameter when the applicator is released
/// or when `cancel()` is called. If the parameter is waiting for the answer of an applicator, the
/// removal of this applicator ends the wait. In this case, the thread that removes the applicator
/// also calls the next applicator. To observe values without an applicator, subscribe to `$value`
/// of the parameter.
///
/// The handlers of an applicator may run on any thread. No handler is called while this package
/// holds a lock. A handler must not block its thread.
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
  /// If the applicator is created with a known value of the target, `latestAppliedValue` starts
  /// with this value. Without a known value, `latestAppliedValue` is nil until the applicator
  /// applies its first value. If a call of the `apply` handler ends without an answer, for example
  /// after a time-out, `latestAppliedValue` becomes nil. If another applicator later fails to apply
  /// the same value, `latestAppliedValue` of this applicator does not change. If the type `Value`
  /// is optional, `.some(nil)` means that the applicator applied nil.
  public var latestAppliedValue: Value? { access.latestAppliedValue(of: record) }

  /// Sets a check that decides whether this applicator can apply a value. The checks of all
  /// applicators run before the first applicator applies the value.
  ///
  /// If a check returns false, no applicator applies the value, and the parameter's method `apply`
  /// fails with `ParameterError.cannotApply`. An applicator without a check accepts every value.
  ///
  /// - Returns: `self`, so that calls can be chained.
  public func canApply(
    _ verify: @escaping @Sendable (Value) -> Bool
  ) -> ProcessingApplicator {
    access.configure(record) { $0.verify = { verify(ValueBox<Value>.open($0)) } }
    return self
  }

  /// Sets the handler that applies a value. The second argument of the handler is a closure, which
  /// the handler must call with the result. The handler may call the closure immediately or later,
  /// on any thread.
  ///
  /// Only the first result that the handler passes to the closure counts. A result after the
  /// time-out is ignored. A new call of the handler may begin while the target still processes an
  /// earlier call. Two calls can overlap after a time-out of the earlier call, or one second after
  /// an interruption of the session has begun. If two calls overlap, the target must apply the
  /// value of the later call last. If the handler releases the closure without calling the closure,
  /// the value counts as not applied, and the error is `ParameterError.abandoned`. The parameter
  /// skips an applicator that has no `apply` handler.
  ///
  /// - Returns: `self`, so that calls can be chained.
  public func apply(
    _ apply:
      @escaping @Sendable (Value, @escaping @Sendable (ApplicationResult) -> Void) -> Void
  ) -> ProcessingApplicator {
    set { value, handler in apply(value) { handler.answer($0) } }
  }

  /// Sets the async handler that applies a value. If the handler returns, the value counts as
  /// applied. If the handler throws an error, the value counts as not applied.
  ///
  /// Each call of the handler runs in its own task. The task of a call is cancelled at the
  /// time-out, at the end of the session, and when the applicator is removed. The task is also
  /// cancelled when an interruption of the session ends the call. Errors that a cancelled task
  /// throws are ignored.
  ///
  /// - Returns: `self`, so that calls can be chained.
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

  /// Replaces the `apply` handler. If a call of the replaced handler is still running, the answer
  /// to this call still counts.
  private func set(
    _ apply: @escaping @Sendable (Value, ResultHandler) -> Void
  ) -> ProcessingApplicator {
    access.configure(record) { $0.apply = { apply(ValueBox<Value>.open($0), $1) } }
    return self
  }

  /// Sets a handler that applies a value on the main actor. The `canApply` handler may run on any
  /// thread.
  ///
  /// - Returns: `self`, so that calls can be chained.
  public func applyOnMainActor(
    _ apply: @escaping @MainActor @Sendable (Value) async throws -> Void
  ) -> ProcessingApplicator {
    self.apply { value async throws in try await apply(value) }
  }

  /// Sets the maximum time for applying one value, counted from the call of the `apply` handler.
  ///
  /// When an interruption switches the applicator off, the wait for the answer to the first call is
  /// limited to one second. If there is no answer within one second, the `apply` handler is called
  /// a second time. The second call is limited to the time-out of the applicator. If the applicator
  /// has no time-out, the second call is limited to 10 seconds.
  ///
  /// - Parameter seconds: The time-out in seconds, 10 by default. If `seconds` is NaN, infinite,
  ///   zero or negative, there is no time-out.
  /// - Returns: `self`, so that calls can be chained.
  public func timeout(_ seconds: Double) -> ProcessingApplicator {
    let duration = Duration.wait(seconds: seconds)
    access.configure(record) { $0.timeout = duration }
    return self
  }

  /// Sets the maximum time for applying one value. If the duration is zero or negative, there is no
  /// time-out.
  public func timeout(_ duration: Duration) -> ProcessingApplicator {
    timeout(duration / .seconds(1))
  }

  /// Removes the applicator from its parameter permanently. Releasing an applicator also removes
  /// the applicator.
  public func cancel() {
    access.remove(record)
  }

  /// Adds the applicator to the set `applicators`, which retains the applicator.
  public func store(in applicators: inout Set<AnyApplicator>) {
    applicators.insert(AnyApplicator(self))
  }
}

/// Retains an applicator for values of any type. One set of `AnyApplicator` can therefore contain
/// applicators for values of different types.
///
///     var applicators: Set<AnyApplicator> = []
///     session.intensity.applicator { … } apply: { … }.store(in: &applicators)
public struct AnyApplicator: Hashable, Sendable {
  private let applicator: any AnyObject & Sendable

  /// Retains `applicator`.
  public init<Value>(_ applicator: ProcessingApplicator<Value>) {
    self.applicator = applicator
  }

  /// Two instances are equal if both instances retain the same applicator.
  public static func == (left: AnyApplicator, right: AnyApplicator) -> Bool {
    left.applicator === right.applicator
  }

  /// Hashes the applicator's identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(applicator))
  }
}
