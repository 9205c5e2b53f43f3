/// Processes the reported listener events of a session one after the other, in one task.
final class SessionReports: Sendable {
  typealias Outcome = ResultPublisher<ParameterRecommendation, ProcessingError>

  private let state = Lock(State())

  /// One report of a listener event: the work to perform, and the publisher of the outcome.
  private struct Report: Sendable {
    let work: @Sendable () async -> Result<ParameterRecommendation, ProcessingError>
    let outcome = Outcome()
  }

  private struct State: Sendable {
    var isClosed = false
    var waiting = FIFO<Report>()
    var current: Report?
    var task: Task<Void, Never>?
  }

  /// Runs `work` when the work of all earlier reports has finished.
  func submit(
    _ work: @escaping @Sendable () async -> Result<ParameterRecommendation, ProcessingError>
  ) -> Outcome {
    let report = Report(work: work)
    let isClosed = state.withLock { state in
      if state.isClosed { return true }
      state.waiting.append(report)
      if state.task == nil { state.task = Task { [self] in await processAll() } }
      return false
    }
    if isClosed { report.outcome.settle(.failure(.sessionDeactivated)) }
    return report.outcome
  }

  /// Cancels the processing of reports at the end of the session. Returns the publishers that have
  /// no result yet, in order of the reports.
  func close() -> [Outcome] {
    let (reports, task) = state.withLock { state in
      state.isClosed = true
      // The reports are removed, because the work of a report retains the session.
      let current = [state.current.take()].compactMap { $0 }
      return (current + state.waiting.removeAll(), state.task)
    }
    task?.cancel()
    return reports.map(\.outcome)
  }

  private func processAll() async {
    while let report = next() {
      let result = await report.work()
      // If the session has ended, the work was cancelled, and its result is ignored.
      guard !state.withLock({ $0.isClosed }) else { return }
      report.outcome.settle(result)
    }
  }

  private func next() -> Report? {
    let (_, next) = state.withLock { state in
      let last = state.current
      state.current = state.waiting.popFirst()
      if state.current == nil { state.task = nil }
      return (last, state.current)
    }
    return next
  }
}
