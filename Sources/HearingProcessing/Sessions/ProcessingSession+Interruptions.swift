extension ProcessingSession {
  /// The reasons why processing is interrupted now. Each reason can be passed to
  /// `resolve(interruption:)`.
  public var interruptions: Set<InterruptionReason> {
    lanes.interruption.reasons.observedValue
  }

  /// Interrupts processing. No audio is amplified until every reason is resolved.
  ///
  /// During an interruption, `isEnabled.apply` fails with `ParameterError.interrupted`. Waiting
  /// values of `isEnabled` also fail with `ParameterError.interrupted`. `interrupt` then applies
  /// false to every applicator whose value is true or may be true. This change does not wait for
  /// values that are waiting to be applied, and waits at most one second for values that
  /// applicators are already applying. After one second, these values fail with
  /// `ParameterError.interrupted`, late answers are ignored, and the applicators are called with
  /// false. Applicators that did not answer their last call are called last. A running call of
  /// `resolve` is not ended. If one applicator fails, the remaining applicators are still called.
  /// Even if an applicator fails, the reason is recorded and `isEnabled` becomes false.
  ///
  /// With the first reason, the previous value of `isEnabled` is saved, so that this value can be
  /// restored. Each further call of `interrupt` applies false again to applicators whose value may
  /// still be true.
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
  ///   `isEnabled`. False is then applied again to the applicators whose value may be true. The
  ///   session remains interrupted, and the caller can call this method again.
  @discardableResult
  public func resolve(
    interruption: InterruptionReason
  ) -> ResultPublisher<Bool, ProcessingError> {
    lanes.restore(.resolve(interruption)) { [self] error in note(.resolved, interruption, error) }
  }

  /// Resolves the interruption with this name.
  @discardableResult
  public func resolve(
    interruption: some StringProtocol
  ) -> ResultPublisher<Bool, ProcessingError> {
    resolve(interruption: InterruptionReason(interruption))
  }

  /// Interrupts processing while `body` runs, for example during a hearing test, a measurement or a
  /// voice call.
  ///
  /// If the calling task is cancelled, only `body` is cancelled: the interruption is still
  /// resolved. Another interruption with an equal reason does not affect this interruption.
  ///
  /// - Returns: The value of `body`.
  /// - Throws: The error of `body`, or a `ProcessingError`. If interrupting fails, `body` does not
  ///   run, and the reason is resolved. If `body` succeeds but `isEnabled` cannot be restored, the
  ///   method throws, and `isInterrupted` remains true.
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
