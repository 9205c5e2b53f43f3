extension ProcessingSession {
  /// The reasons why processing is interrupted now. Each reason can be passed to
  /// `resolve(interruption:)`.
  public var interruptions: Set<InterruptionReason> {
    lanes.interruption.reasons.observedValue
  }

  /// Interrupts processing. No audio is amplified until every reason of the interruption is
  /// resolved.
  ///
  /// During an interruption, `isEnabled.apply` fails with `ParameterError.interrupted`. Values of
  /// `isEnabled` that are waiting also fail with `ParameterError.interrupted`.
  ///
  /// `interrupt` applies false to every applicator that has applied true, and to every applicator
  /// with an unknown value. Values that have not reached an applicator yet do not delay the
  /// interruption. If applicators are already applying a value, `interrupt` waits at most one
  /// second for this value. After one second, the value fails with `ParameterError.interrupted`,
  /// and late answers of its applicators are ignored. A call of `resolve` that is already running
  /// may delay the interruption for more than one second. Applicators that did not answer their
  /// last call are called after the other applicators. If an applicator does not answer within one
  /// second, or within its own shorter time-out, the applicator is called a second time after all
  /// other applicators. The second call is limited to the time-out of the applicator. If the
  /// applicator has no time-out, the second call is limited to 10 seconds. The second call ends
  /// early if another operation has waited for one second to switch applicators off. If one
  /// applicator fails, the other applicators are still called. Even if an applicator fails, the
  /// reason is recorded and `isEnabled` becomes false.
  ///
  /// When the first reason is recorded, the value of `isEnabled` before the interruption is saved.
  /// When the last reason is resolved, the saved value of `isEnabled` is restored. Each later call
  /// of `interrupt` applies false again to every applicator with the value true or with an unknown
  /// value. If the app adds such an applicator during an interruption, false is applied to the new
  /// applicator too.
  ///
  /// - Parameter reason: Identifies the interruption. To resolve the interruption, pass an equal
  ///   reason to `resolve(interruption:)`.
  /// - Returns: A publisher of the result. The result is true if all calls of applicators
  ///   succeeded, so that no audio is amplified any more. If applicators fail, the result is an
  ///   error with the names of these applicators.
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
  /// - Returns: A publisher of the result: true if the session is still interrupted, false if the
  ///   interruption has ended, or an error. The error is `notInterrupted` if the session is not
  ///   interrupted. The error is `interruptionNotFound` if the session is interrupted for other
  ///   reasons only. If the value of `isEnabled` cannot be restored, the error is the error of the
  ///   parameter `isEnabled`. In this case, false is applied again to every applicator that may
  ///   have the value true. The session remains interrupted, and `resolve(interruption:)` can be
  ///   called again.
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
  /// If the calling task is cancelled, `body` is cancelled too. The interruption is resolved in any
  /// case. This interruption is independent of all other interruptions, even of interruptions with
  /// an equal reason.
  ///
  /// - Returns: The value of `body`.
  /// - Throws: The error of `body`, or a `ProcessingError`. If `interrupt` fails, `body` does not
  ///   run, and the reason of this call is resolved. If `body` succeeds but `isEnabled` cannot be
  ///   restored, the method throws the error of `resolve`, and `isInterrupted` remains true.
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
      // If the session has ended, there is nothing to restore, and the error is ignored.
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
