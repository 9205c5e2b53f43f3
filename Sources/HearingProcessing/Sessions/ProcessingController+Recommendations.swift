extension ProcessingController {
  /// Reports a listener event and applies the recommendation that follows from it.
  ///
  /// A new or cleared profile replaces the data source's profile at once (a `custom` source manages
  /// its own). Then the preset is reloaded, and intensity and `isEnabled` are applied, as
  /// recommended; during an interruption a recommended `isEnabled` becomes the value to restore.
  /// A parameter that is applied meanwhile, other than by a report, keeps its value: that part of
  /// the recommendation is skipped. Reports are processed one after the other.
  ///
  /// - Returns: The result: the recommendation once applied; otherwise `recommendationFailed`, the
  ///   error of the first parameter that failed, or `sessionDeactivated` without a session.
  @discardableResult
  public func report(
    _ event: ListenerEvent
  ) -> ResultPublisher<ParameterRecommendation, ProcessingError> {
    guard let session = session.value else { return .init(.failure(.sessionDeactivated)) }
    let choices = session.choices
    if let profile = event.newProfile { session.setProfile(profile) }
    let source = recommendationSource
    return session.reports.submit {
      do {
        let recommendation = try await source.recommendation(for: event)
        return await session.follow(recommendation, since: choices).map { recommendation }
      } catch {
        return .failure(.recommendationFailed(error))
      }
    }
  }
}

extension ProcessingSession {
  /// How often each parameter was applied other than by a report.
  fileprivate var choices: [UInt64] { SessionValues.parameters.map { $0.choices(self) } }

  /// Applies a recommendation, one part after the other; the first failure ends it.
  ///
  /// - Parameter choices: The value of `choices` when the event was reported.
  fileprivate func follow(
    _ recommendation: ParameterRecommendation, since choices: [UInt64]
  ) async -> Result<Void, ProcessingError> {
    do {
      for (parameter, count) in zip(SessionValues.parameters, choices) {
        guard parameter.choices(self) == count else { continue }
        do {
          try await parameter.follow(recommendation, in: self)
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
