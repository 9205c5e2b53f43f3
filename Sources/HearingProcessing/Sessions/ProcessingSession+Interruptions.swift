extension ProcessingSession {
  /// The reasons why processing is interrupted now. Each reason can be passed to
  /// `resolve(interruption:)`.
  public var interruptions: Set<InterruptionReason> {
    lanes.interruption.reasons.observedValue
  }

  /// Interrupts processing. No audio is amplified until every reason is resolved.
  ///
  /// During an interruption, `isEnabled.apply` fails with `ParameterError.interrupted`. Values of
  /// `isEnabled` that are waiting also fail with `ParameterError.interrupted`.
  ///
  /// `interrupt` applies false to every applicator whose value is true or unknown. `interrupt` does
  /// not wait for values that are still waiting to be applied. `interrupt` waits at most one second
  /// for values that applicators are already applying. A value that delays the interruption for
  /// more than one second fails with `ParameterError.interrupted`, and late answers of applicators
  /// are ignored. The limit of one second does not apply to a running call of `resolve`.
  /// Applicators that did not answer their last call are called last. An applicator that does not
  /// answer within one second, or within a shorter time-out, is called again after all other
  /// applicators. The second call has the applicator's own time-out, or 10 seconds if the
  /// applicator has no time-out. The second call ends early if another operation has waited for one
  /// second to switch applicators off. If one applicator fails, the other applicators are still
  /// called. Even if an applicator fails, the reason is recorded and `isEnabled` becomes false.
  ///
  /// When the first reason is recorded, the value of `isEnabled` before the interruption is saved.
  /// When the last reason is resolved, the saved value of `isEnabled` is restored. Each later call
  /// of `interrupt` applies false again to applicators whose value is still true or unknown. An
  /// applicator with such a value that is added during an interruption is also called.
  ///
  /// - Parameter reason: Identifies the interruption. To resolve the interruption, pass an equal
  ///   reason to `resolve(interruption:)`.
  /// - Returns: The result: true if no applicator amplifies any more. If applicators fail, the
  ///   result is an error with the names of these applicators.
  @discardableResult
  public func interrupt(reason: InterruptionReason) -> ResultPublisher<Bool, ProcessingError> {
    lanes.interrupt(reason) { [self] error in note(.interrupted, reason, error) }
  }

  /// Interrupts processing. `reason` is a name that identifies the interruption.
  @discardableResult
  public func interrupt(
    reason: some StringProtocol
  ) -> ResultPublisher<Bool, ProcessingError> {
    interrupt(reason: InterruptionReason(reason))
  }

  /// Resolves one reason of the interruption. When the last reason is resolved, the previous value
  /// of `isEnabled` is restored.
  ///
  /// - Parameter interruption: The reason that was passed to `interrupt(reason:)`.
  /// - Returns: The result: true if the session is still interrupted, false if not, or an error.
  ///   The error is `interruptionNotFound` or `notInterrupted` if there is nothing to resolve. If
  ///   the value of `isEnabled` cannot be restored, the result is the error of the parameter
  ///   `isEnabled`. In this case, false is applied again to every applicator whose value may be
  ///   true. The session remains interrupted, and `resolve(interruption:)` can be called again.
  @discardableResult
  public func resolve(
    interruption: InterruptionReason
  ) -> ResultPublisher<Bool, ProcessingError> {
    lanes.restore(.resolve(interruption)) { [self] error in note(.resolved, interruption, error) }
  }

  /// Resolves the interruption with the name `interruption`.
  @discardableResult
  public func resolve(
    interruption: some StringProtocol
  ) -> ResultPublisher<Bool, ProcessingError> {
    resolve(interruption: InterruptionReason(interruption))
  }

  /// Interrupts processing while `body` runs, for example during a hearing test, a measurement or a
  /// voice call.
  ///
  /// Cancelling the calling task cancels `body`, but the interruption is still resolved. Other
  /// interruptions are independent of this interruption, even if their reasons are equal.
  ///
  /// - Returns: The value of `body`.
  /// - Throws: The error of `body`, or a `ProcessingError`. If `interrupt` fails, `body` does not
  ///   run, and the reason of this call is resolved. If `body` succeeds but `isEnabled` cannot be
  ///   restored, the method throws, and `isInterrupted` remains true.
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
