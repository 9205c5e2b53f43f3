import HearingProcessing

extension ResultPublisher {
  /// Calls `perform` once with the result, now or when it comes.
  func whenSettled(_ perform: @escaping @Sendable (Result<Value, Failure>) -> Void) {
    // The observation keeps itself until the result has come.
    let kept = KeptObservation()
    kept.token = sink { completion in
      if case .failure(let error) = completion { perform(.failure(error)) }
      kept.token = nil
    } receiveValue: {
      perform(.success($0))
    }
  }
}
