extension ProcessingSession {
  /// The reasons of the current interruption. Each can be passed to `resolve(interruption:)`.
  public var interruptions: Set<InterruptionReason> {
    lanes.interruption.reasons.observedValue
  }

  /// Interrupts processing: nothing amplifies until every reason is resolved.
  ///
  /// Until then, `isEnabled.apply` fails with `ParameterError.interrupted`, and so do waiting
  /// values of `isEnabled`. Before all other waiting values, false is applied to every applicator
  /// whose value is or may be true; a failure of one does not stop the others. Even after a
  /// failure, the reason is recorded and `isEnabled` becomes false. The first reason stores the
  /// previous value of `isEnabled`, to be restored; a further or repeated one applies false again
  /// to the applicators that may still be at true.
  ///
  /// - Parameter reason: Identifies the interruption; pass an equal value to resolve it.
  /// - Returns: The result: true when nothing can amplify any more; otherwise the parameter's
  ///   error, which names the applicators that may still be at true.
  @discardableResult
  public func interrupt(reason: InterruptionReason) -> ResultPublisher<Bool, ProcessingError> {
    lanes.interrupt(reason) { [self] error in note(.interrupted, reason, error) }
  }

  /// The same with a name as the reason.
  @discardableResult
  public func interrupt(
    reason: some StringProtocol
  ) -> ResultPublisher<Bool, ProcessingError> {
    interrupt(reason: InterruptionReason(reason))
  }

  /// Removes one reason; removing the last one restores the value that `isEnabled` had.
  ///
  /// - Parameter interruption: The reason that was passed to `interrupt(reason:)`.
  /// - Returns: The result: whether the session is still interrupted; `interruptionNotFound` or
  ///   `notInterrupted` if there is nothing to resolve; the parameter's error if the value could
  ///   not be restored: then false was applied again to the applicators at true, and the session
  ///   stays interrupted and can be resolved again.
  @discardableResult
  public func resolve(
    interruption: InterruptionReason
  ) -> ResultPublisher<Bool, ProcessingError> {
    lanes.restore(.resolve(interruption)) { [self] error in note(.resolved, interruption, error) }
  }

  /// The same with a name as the reason.
  @discardableResult
  public func resolve(
    interruption: some StringProtocol
  ) -> ResultPublisher<Bool, ProcessingError> {
    resolve(interruption: InterruptionReason(interruption))
  }

  /// Interrupts processing while `body` runs: a hearing test, a measurement, a call.
  ///
  /// Interrupting and resolving ignore cancellation of the task; `body` sees the cancellation.
  /// The reason is distinct from any equal one.
  ///
  /// - Returns: The value of `body`.
  /// - Throws: The error of `body`; a `ProcessingError` if interrupting fails, then `body` does not
  ///   run and the reason is resolved; a `ProcessingError` if `body` succeeds and `isEnabled`
  ///   cannot be restored, then `isInterrupted` is still true.
  public func withInterruption<T: Sendable>(
    reason: InterruptionReason, _ body: @Sendable () async throws -> T
  ) async throws -> T {
    let reason = reason.scoped
    do {
      _ = try await interrupt(reason: reason).settled()
    } catch {
      _ = try? await resolve(interruption: reason).settled()
      throw error
    }
    let outcome: Result<T, any Error>
    do {
      outcome = .success(try await body())
    } catch {
      outcome = .failure(error)
    }
    do {
      _ = try await resolve(interruption: reason).settled()
    } catch {
      // A session that has ended has nothing to restore.
      if case .success = outcome, error != .sessionDeactivated { throw error }
    }
    return try outcome.get()
  }

  private func note(
    _ kind: TraceEvent.Kind, _ reason: InterruptionReason, _ error: ProcessingError?
  ) {
    save()
    tracer.note(TraceEvent(kind, "interruption", value: reason.description, failure: error))
  }
}
