extension ProcessingController {
  /// Reports a listener event and applies the recommendation that follows from it.
  ///
  /// A new or cleared profile replaces the data source's profile at once (a `custom` source manages
  /// its own). Then the preset is reloaded, and intensity and `isEnabled` are applied, as
  /// recommended; during an interruption a recommended `isEnabled` becomes the value to restore. If
  /// the listener or the app applies a parameter between the report and its recommendation, that
  /// newer value stays, and this part of the recommendation is skipped. Reports are processed one
  /// after the other; a recommendation source that has not answered after ten seconds fails its
  /// report.
  ///
  /// - Returns: The result: the recommendation once applied; otherwise `recommendationFailed`, the
  ///   error of the first parameter that failed, or `sessionDeactivated` without a session.
  @discardableResult
  public func report(
    _ event: ListenerEvent
  ) -> ResultPublisher<ParameterRecommendation, ProcessingError> {
    guard let session = session.value else { return .init(.failure(.sessionDeactivated)) }
    let choices = session.choices
    if let profile = event.newProfile { session.presetDataSource.setProfile(profile) }
    if event.name == ListenerEvent.Name.signedOut { session.presetDataSource.clearCache() }
    let source = recommendationSource
    return session.reports.submit { [scheduler] in
      do {
        let recommendation = try await within(.seconds(10), on: scheduler) {
          try await source.recommendation(for: event)
        }
        return await session.follow(recommendation, since: choices).map { recommendation }
      } catch {
        return .failure(.recommendationFailed(error))
      }
    }
  }
}

extension ProcessingSession {
  /// How often each parameter was applied other than by a report.
  fileprivate var choices: [UInt64] { SessionValues.parameters.map { $0.choices(lanes) } }

  /// Applies a recommendation, one part after the other; the first failure ends it.
  ///
  /// - Parameter choices: The value of `choices` when the event was reported.
  fileprivate func follow(
    _ recommendation: ParameterRecommendation, since choices: [UInt64]
  ) async -> Result<Void, ProcessingError> {
    // During an interruption, the value to restore may change.
    defer { save() }
    do {
      for (parameter, count) in zip(SessionValues.parameters, choices) {
        guard parameter.choices(lanes) == count else { continue }
        do {
          try await parameter.follow(recommendation, lanes)
        } catch ParameterError.superseded {
          // The listener has chosen another value meanwhile.
        }
      }
      return .success(())
    } catch let error as ParameterError {
      return .failure(ProcessingError(error))
    } catch let error as ProcessingError {
      return .failure(error)
    } catch {
      // The task is cancelled when the session ends, and only then.
      return .failure(.sessionDeactivated)
    }
  }
}

/// Runs `body` in a new task and waits at most `limit` for its result. After that time, the task is
/// cancelled and its result is ignored.
///
/// - Throws: The error of `body`, `TimeLimitExceeded`, or `CancellationError`.
private func within<Value: Sendable>(
  _ limit: Duration, on scheduler: any DeadlineScheduler,
  _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let result = ResultPublisher<Value, any Error>()
  let task = Task {
    do {
      result.settle(.success(try await body()))
    } catch {
      result.settle(.failure(error))
    }
  }
  let timer = scheduler.schedule(at: scheduler.now + limit) {
    result.settle(.failure(TimeLimitExceeded("the recommendation source", limit)))
    task.cancel()
  }
  defer { timer.cancel() }
  return try await withTaskCancellationHandler {
    try await result.get()
  } onCancel: {
    task.cancel()
  }
}
