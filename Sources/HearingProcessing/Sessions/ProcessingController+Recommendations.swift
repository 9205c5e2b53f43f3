extension ProcessingController {
  /// Tells what happened to the listener, and applies what the recommendation source says.
  ///
  /// A profile that the event brings or clears replaces the data source's at once (a `custom` source
  /// knows by itself). Then the preset is reloaded, intensity and `isEnabled` are set, as
  /// recommended; during an interruption a recommended `isEnabled` becomes the value to restore.
  /// Reports are dealt with one after the other.
  ///
  /// - Returns: The result: the recommendation when it is in force; `recommendationFailed`, the
  ///   first parameter's error, or `sessionDeactivated` without a session.
  @discardableResult
  public func report(
    _ event: ListenerEvent
  ) -> ResultPublisher<ParameterRecommendation, ProcessingError> {
    guard let session = session.value else { return .init(.failure(.sessionDeactivated)) }
    if let profile = event.newProfile { session.setProfile(profile) }
    let source = recommendationSource
    return session.reports.submit {
      do {
        let recommendation = try await source.recommendation(for: event)
        return await session.follow(recommendation).map { recommendation }
      } catch {
        return .failure(.recommendationFailed(error))
      }
    }
  }
}

extension ProcessingSession {
  /// Applies a recommendation, one part after the other; the first failure ends it.
  fileprivate func follow(
    _ recommendation: ParameterRecommendation
  ) async -> Result<Void, ProcessingError> {
    do {
      if recommendation.reloadsPreset { _ = try await preset.reload().get() }
      for parameter in SessionValues.parameters {
        try await parameter.follow(recommendation, in: self)
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
