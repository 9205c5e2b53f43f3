extension ProcessingController {
  /// Reports a listener event and applies the recommendation for this event.
  ///
  /// If the event changes or removes the listener's profile, the preset data source gets the new
  /// profile immediately. A `custom` data source does not get the profile, because the source
  /// manages its own profile. The recommended values are applied in this order: preset, fine
  /// tuning, intensity, `isEnabled`. During an interruption, a recommended value of `isEnabled`
  /// becomes the value that is restored when the interruption ends.
  ///
  /// If the app applies a value to a parameter after the report, the recommendation for this
  /// parameter is skipped. The recommendation is also skipped if the app begins a load after the
  /// report, and this load ends before the recommendation is applied. If an event changes or
  /// removes the profile, a running load of the preset fails with `superseded`. If a recommendation
  /// changes the preset, a running load of the preset also fails with `superseded`. Therefore a
  /// preset that is still being loaded for the previous profile is never applied. Reports are
  /// processed one after the other. A report fails if the recommendation source does not answer
  /// within ten seconds.
  ///
  /// - Returns: The result: the applied recommendation, or an error. The error is
  ///   `recommendationFailed`, the error of the first parameter that failed, or
  ///   `sessionDeactivated` if there is no session.
  @discardableResult
  public func report(
    _ event: ListenerEvent
  ) -> ResultPublisher<ParameterRecommendation, ProcessingError> {
    guard let session = session.value else { return .init(.failure(.sessionDeactivated)) }
    if let profile = event.newProfile {
      session.presetDataSource.setProfile(profile)
      session.lanes.presetLoader.supersede()
    }
    if event.name == ListenerEvent.Name.signedOut { session.presetDataSource.clearCache() }
    // For each parameter, `requests` contains the number of requests until now. A load with a
    // higher number uses the new profile.
    let requests = SessionValues.parameters.map { $0.state(session.lanes).requests }
    let source = recommendationSource
    return session.reports.submit { [scheduler] in
      do {
        let recommendation = try await within(.seconds(10), on: scheduler) {
          try await source.recommendation(for: event)
        }
        return await session.follow(recommendation, since: requests).map { recommendation }
      } catch {
        return .failure(.recommendationFailed(error))
      }
    }
  }
}

extension ProcessingSession {
  /// Applies a recommendation, one parameter after the other. Stops at the first failure.
  ///
  /// - Parameter requests: The number of requests of each parameter at the time of the report.
  fileprivate func follow(
    _ recommendation: ParameterRecommendation, since requests: [UInt64]
  ) async -> Result<Void, ProcessingError> {
    // During an interruption, a recommendation may change the value of `isEnabled` that is restored
    // when the interruption ends. The changed value must be saved.
    defer { save() }
    do {
      for (parameter, count) in zip(SessionValues.parameters, requests) {
        guard parameter.state(lanes).lastChoice <= count else { continue }
        do {
          try await parameter.follow(recommendation, lanes)
        } catch ParameterError.superseded {
          // The app applied another value after the report, so the recommended value is skipped.
        }
      }
      return .success(())
    } catch let error as ParameterError {
      return .failure(ProcessingError(error))
    } catch let error as ProcessingError {
      return .failure(error)
    } catch {
      // Any other error is a `CancellationError`. The task is cancelled only when the session ends.
      return .failure(.sessionDeactivated)
    }
  }
}

/// Runs `body` in a new task and waits for its result. The maximum wait is `limit`. After the
/// maximum wait, the task is cancelled, and its result is ignored.
///
/// - Throws: The error of `body`, `TimeLimitExceeded`, or `CancellationError`.
private func within<Value: Sendable>(
  _ limit: Duration, on scheduler: any DeadlineScheduler,
  _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let result = ResultPublisher<Value, any Error>()
  // The timer begins before the task, so that the limit includes the time until the task runs.
  let timer = scheduler.schedule(at: scheduler.now + limit) {
    result.settle(.failure(TimeLimitExceeded("the recommendation source", limit)))
  }
  let task = Task {
    do {
      result.settle(.success(try await body()))
    } catch {
      result.settle(.failure(error))
    }
  }
  defer {
    timer.cancel()
    task.cancel()
  }
  return try await result.get()
}
