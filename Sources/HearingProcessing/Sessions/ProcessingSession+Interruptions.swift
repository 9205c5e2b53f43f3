extension ProcessingSession {
  /// The reasons of the current interruption; those of `withInterruption` wrap
  /// `ScopedInterruption` values. Each can be passed to `resolve(interruption:)`.
  public var interruptions: Set<InterruptionReason> {
    reasonsObservation.access()
    return interruptionState.withLock { $0.reasons }
  }

  /// Interrupts processing: `isEnabled` becomes false until every reason is resolved.
  ///
  /// With the first reason, it waits for the current sequence of `isEnabled`, remembers its value
  /// and applies false. From this call on, `isEnabled.apply` fails with
  /// `ParameterError.interrupted`. A further or repeated reason calls no applicator, except one
  /// that may still be at true after a failure: that one gets false.
  ///
  /// - Parameter reason: Identifies the interruption; pass an equal value to resolve it.
  /// - Returns: The result: true when the session is interrupted; the parameter's error if false
  ///   could not be applied: then the reason is not recorded.
  @discardableResult
  public func interrupt(
    reason: some Hashable & Sendable
  ) -> ResultPublisher<Bool, ProcessingError> {
    submit(.interrupt(InterruptionReason(reason)))
  }

  /// Removes one reason; removing the last one restores the value that `isEnabled` had.
  ///
  /// - Parameter interruption: The reason that was passed to `interrupt(reason:)`.
  /// - Returns: The result: whether the session is still interrupted; `interruptionNotFound` or
  ///   `notInterrupted` if there is nothing to resolve; the parameter's error if the value could
  ///   not be restored: then the session stays interrupted and can be resolved again.
  @discardableResult
  public func resolve(
    interruption: some Hashable & Sendable
  ) -> ResultPublisher<Bool, ProcessingError> {
    submit(.resolve(InterruptionReason(interruption)))
  }

  /// Interrupts processing while `body` runs: a hearing test, a measurement, a call.
  ///
  /// Interrupting and resolving ignore cancellation of the task; `body` sees the cancellation.
  /// The reason is distinct from any equal one.
  ///
  /// - Returns: The value of `body`, even if `isEnabled` could not be restored; `isInterrupted` is
  ///   then still true.
  /// - Throws: The error of `body`, or a `ProcessingError` if interrupting fails: then `body` does
  ///   not run.
  public func withInterruption<T: Sendable>(
    reason: some Hashable & Sendable, _ body: @Sendable () async throws -> T
  ) async throws -> T {
    let scope = ScopedInterruption(reason)
    try await uncancelled { try await self.interrupt(reason: scope).get() }
    let outcome: Result<T, any Error>
    do {
      outcome = .success(try await body())
    } catch {
      outcome = .failure(error)
    }
    _ = try? await uncancelled { try await self.resolve(interruption: scope).get() }
    return try outcome.get()
  }

  /// Sets a recommended `isEnabled`; during an interruption it becomes the value to restore.
  func adopt(isEnabled value: Bool) -> ResultPublisher<Bool, ProcessingError> {
    submit(.adopt(value))
  }

  private func submit(
    _ operation: Interruptions.Operation
  ) -> ResultPublisher<Bool, ProcessingError> {
    let call = Interruptions.Call(operation: operation, outcome: .init())
    let (isClosed, drives, held) = interruptionState.withLock { interruptions in
      let drives = interruptions.submit(call)
      let held = interruptions.refusesValues ? line.refusingValues(isEnabled.sequencer) : nil
      return (interruptions.isClosed, drives, held)
    }
    if isClosed { return .init(.failure(.sessionDeactivated)) }
    held?()
    if drives { carryOut(advance { $0.next() }) }
    return call.outcome
  }

  /// Performs the actions of the state machine until there is none or an answer is pending; after
  /// 32 calls a library thread continues.
  private func carryOut(_ first: Interruptions.Action) {
    var action = first
    var calls = 0
    while true {
      switch action {
      case .none:
        return
      case .changeReasons(let operation, let reasons):
        let newReasons = operation.applied(to: reasons)
        action = advance { $0.reasonsChanged(newReasons) }
      case .impose(let value, let newReasons):
        let result = impose(value)
        guard let outcome = result.outcome else {
          result.observe { [self] outcome in
            carryOut(advance { $0.imposed(newReasons, outcome.error) })
          }
          return
        }
        action = advance { $0.imposed(newReasons, outcome.error) }
      case .switchOff(let newReasons, let cause):
        guard isEnabled.sequencer.mayHaveValue(where: { $0 }) || line.mayBeEnabled else {
          action = advance { $0.switchedOff(newReasons, cause, nil) }
          continue
        }
        let result = isEnabled.sequencer.reset(to: false)
        guard let outcome = result.outcome else {
          result.observe { [self] outcome in
            carryOut(advance { $0.switchedOff(newReasons, cause, outcome.error) })
          }
          return
        }
        action = advance { $0.switchedOff(newReasons, cause, outcome.error) }
      case .finish(let call, let result, _):
        publish()
        if result.error == nil { reasonsObservation.didChange() }
        call.outcome.settle(result)
        note(call.operation, result)
        action = advance { $0.next() }
        calls += 1
        if calls > 32 {
          let next = action
          return LibraryThread.run { [self] in carryOut(next) }
        }
      }
    }
  }

  private func note(
    _ operation: Interruptions.Operation, _ result: Result<Bool, ProcessingError>
  ) {
    switch operation {
    case .interrupt(let reason):
      tracer.note(
        TraceEvent(
          .interrupted, "interruption", value: reason.description, failure: result.error))
    case .resolve(let reason):
      tracer.note(
        TraceEvent(.resolved, "interruption", value: reason.description, failure: result.error))
    case .adopt: break
    }
  }

  private func advance(
    _ event: @Sendable (inout Interruptions) -> Interruptions.Action
  ) -> Interruptions.Action {
    interruptionState.withLock { event(&$0) }
  }

  /// Sets `isEnabled` to `value`; a debounced value is superseded.
  private func impose(_ value: Bool) -> ResultPublisher<Bool, ParameterError> {
    isEnabled.sequencer.impose(value, isNext: !value) { [self] replaced in
      interruptionState.withLock { $0.replacing(replaced) }
    }
  }

  /// Publishes whether the session is interrupted, if that has changed; if it is not, accepts
  /// values again.
  private func publish() {
    let publication = interruptionState.withLock { interruptions in
      if !interruptions.refusesValues { isEnabled.sequencer.acceptValues() }
      let isInterrupted = interruptions.isInterrupted
      return interruption.value == isInterrupted ? nil : interruption.enqueue(isInterrupted)
    }
    save()
    if let publication { interruption.deliver(publication) }
  }
}

extension Interruptions.Operation {
  /// The reasons after the operation; runs the user's `==` and `hash(into:)`.
  fileprivate func applied(to reasons: Interruptions.Reasons) -> Interruptions.Reasons {
    switch self {
    case .interrupt(let reason): reasons.union([reason])
    case .resolve(let reason): reasons.subtracting([reason])
    case .adopt: reasons
    }
  }
}

extension Result {
  fileprivate var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}

/// Runs `work` to its end even if the calling task is cancelled.
@discardableResult
private func uncancelled<T: Sendable>(
  _ work: @escaping @Sendable () async throws -> T
) async throws -> T {
  try await Task { try await work() }.value
}
