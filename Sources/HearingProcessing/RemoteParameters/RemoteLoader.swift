/// Loads values for a parameter and hands them to its sequencer.
///
/// A load begins and ends under the parameter's lock, so that no value comes between what a load
/// goes by and its place in the order of values. The tracker's lock is taken inside that one.
final class RemoteLoader<Value: Equatable & Sendable>: Sendable {
  private typealias Tracker = LoadTracker<Value>

  private let source: RemoteSource<Value>
  private let sequencer: ParameterSequencer<Value>
  private let tracker = Lock(Tracker())

  init(source: RemoteSource<Value>, sequencer: ParameterSequencer<Value>) {
    self.source = source
    self.sequencer = sequencer
  }

  func reload() -> ResultPublisher<Value, ParameterError> {
    let result = ResultPublisher<Value, ParameterError>()
    var beginning = Beginning.shared(result)
    sequencer.tell(sequencer.change { beginning = begin(result, &$0) })
    switch beginning {
    case .refused(let error):
      result.settle(.failure(error))
    case .shared(let other):
      return other
    case .new(let load, let work, let replaced):
      replaced?.task?.cancel()
      replaced?.result.settle(.failure(.superseded))
      start(work, for: load)
    }
    return result
  }

  /// The session is over, and the sequencer is closed: nothing is loaded any more.
  func close() {
    let load = tracker.withLock { $0.close() }
    load?.task?.cancel()
    load?.result.settle(.failure(.sessionDeactivated))
  }

  private enum Beginning: Sendable {
    case refused(ParameterError)
    case shared(ResultPublisher<Value, ParameterError>)
    case new(Tracker.Load, RemoteSource<Value>.Load, replaced: Tracker.Load?)
  }

  private func begin(
    _ result: ResultPublisher<Value, ParameterError>, _ machine: inout ParameterMachine<Value>
  ) -> Beginning {
    if let refusal = machine.refusal { return .refused(refusal) }
    let work = source.begin()
    let basis = Tracker.Basis(source: work.generation, parameter: machine.generation)
    switch tracker.withLock({ $0.begin(result, basis: basis) }) {
    case .shared(let load):
      return .shared(load.result)
    case .new(let load, let replaced):
      machine.beginLoading(load.number)
      return .new(load, work, replaced: replaced)
    }
  }

  private func start(_ work: RemoteSource<Value>.Load, for load: Tracker.Load) {
    let task = Task { [self] in
      do {
        finish(load, with: try await work.run())
      } catch {
        fail(load, with: .loadFailed(error))
      }
    }
    if !tracker.withLock({ $0.keep(task, ofLoad: load.number) }) { task.cancel() }
  }

  private func finish(_ load: Tracker.Load, with value: Value) {
    guard sequencer.takes(value) else { return fail(load, with: .invalidValue) }
    let request = ParameterRequest(.value(value), result: load.result)
    sequencer.submit(request) { machine in
      guard isCurrent(load) else {
        return .init(failing: request, machine.refusal ?? .superseded)
      }
      return machine.submitLoaded(
        request, number: load.number, loadGeneration: load.basis.parameter)
    }
    sequencer.finishIfOver()
  }

  private func fail(_ load: Tracker.Load, with error: ParameterError) {
    guard isCurrent(load) else { return }
    sequencer.failLoading(load.number, error, for: load.result)
  }

  /// Ends the load; false if it was replaced, and then its result is settled already.
  private func isCurrent(_ load: Tracker.Load) -> Bool {
    tracker.withLock { $0.end(load.number) } != nil
  }
}
