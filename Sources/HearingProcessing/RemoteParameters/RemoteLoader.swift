/// Loads values for a parameter and hands them to its sequencer.
final class RemoteLoader<Value: Equatable & Sendable>: Sendable {
  private let source: RemoteSource<Value>
  private let sequencer: ParameterSequencer<Value>
  private let tracker = Lock(LoadTracker<Value>())

  init(source: RemoteSource<Value>, sequencer: ParameterSequencer<Value>) {
    self.source = source
    self.sequencer = sequencer
  }

  func reload() -> ResultPublisher<Value, ParameterError> {
    let work = source.begin()
    let basis = LoadTracker<Value>.Basis(
      source: work.generation, parameter: sequencer.generation)
    let result = ResultPublisher<Value, ParameterError>()
    switch tracker.withLock({ $0.begin(result, basis: basis) }) {
    case .refused:
      return ResultPublisher(.failure(.sessionDeactivated))
    case .shared(let load):
      return load.result
    case .new(let load, let replaced):
      replaced?.task?.cancel()
      sequencer.beginLoading(load.number)
      replaced?.result.settle(.failure(.superseded))
      start(work, for: load)
      return result
    }
  }

  /// The session is over: nothing is loaded any more.
  func close() {
    let load = tracker.withLock { $0.close() }
    load?.task?.cancel()
    load?.result.settle(.failure(.sessionDeactivated))
  }

  private func start(_ work: RemoteSource<Value>.Load, for load: LoadTracker<Value>.Load) {
    let task = Task { [self] in
      do {
        let value = try await work.run()
        guard let load = end(load.number) else { return }
        sequencer.applyLoaded(
          value, number: load.number, generation: load.basis.parameter, for: load.result)
      } catch {
        guard let load = end(load.number) else { return }
        sequencer.failLoading(load.number, .loadFailed(error), for: load.result)
      }
    }
    if !tracker.withLock({ $0.keep(task, ofLoad: load.number) }) { task.cancel() }
  }

  private func end(_ number: UInt64) -> LoadTracker<Value>.Load? {
    tracker.withLock { $0.end(number) }
  }
}
