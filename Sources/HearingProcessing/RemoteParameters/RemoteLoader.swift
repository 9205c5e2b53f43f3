/// Loads values for a parameter and passes them to its sequencer.
///
/// A load begins and ends under the parameter's lock, so that no value can be accepted between
/// reading the source's state and recording the load's place in the order of values. The tracker's
/// lock is taken while the parameter's lock is held.
final class RemoteLoader<Value: Equatable & Sendable>: Sendable {
  private typealias Tracker = LoadTracker<Value>

  private let source: RemoteSource<Value>
  private let sequencer: ParameterSequencer<Value>
  private let tracker = Lock(Tracker())

  init(source: RemoteSource<Value>, sequencer: ParameterSequencer<Value>) {
    self.source = source
    self.sequencer = sequencer
  }

  /// - Parameter isRecommended: Whether the reload comes from a recommendation.
  func reload(isRecommended: Bool = false) -> ResultPublisher<Value, ParameterError> {
    let result = ResultPublisher<Value, ParameterError>()
    var beginning = Beginning.shared(result)
    sequencer.beginLoading { refusal, generation in
      beginning = refusal.map { .refused($0) } ?? begin(result, generation: generation)
      if case .new(let load, _, _) = beginning { return load.number }
      return nil
    }
    switch beginning {
    case .refused(let error):
      result.settle(.failure(error))
    case .shared(let other):
      return other
    case .new(let load, let work, let replaced):
      replaced?.task?.cancel()
      replaced?.result.settle(.failure(.superseded))
      start(work, for: load, isRecommended: isRecommended)
    }
    return result
  }

  /// Cancels the current load; call it at the end of the session, after the sequencer is closed.
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

  /// - Parameter generation: The generation of the parameter's values.
  private func begin(
    _ result: ResultPublisher<Value, ParameterError>, generation: UInt64
  ) -> Beginning {
    let work = source.begin()
    let basis = Tracker.Basis(source: work.generation, parameter: generation)
    return switch tracker.withLock({ $0.begin(result, basis: basis) }) {
    case .shared(let load): .shared(load.result)
    case .new(let load, let replaced): .new(load, work, replaced: replaced)
    }
  }

  private func start(
    _ work: RemoteSource<Value>.Load, for load: Tracker.Load, isRecommended: Bool
  ) {
    let (trace, scheduler) = (sequencer.trace, sequencer.scheduler)
    let begin = scheduler.now
    trace?.note(.loadBegan)
    let task = Task { [self] in
      do {
        let value = try await work.run()
        trace?.note(.loadEnded, value, duration: scheduler.now - begin)
        finish(load, with: value, isRecommended)
      } catch {
        trace?.note(.loadEnded, duration: scheduler.now - begin, failure: error)
        fail(load, with: .loadFailed(error))
      }
    }
    if !tracker.withLock({ $0.keep(task, ofLoad: load.number) }) { task.cancel() }
  }

  private func finish(_ load: Tracker.Load, with value: Value, _ isRecommended: Bool) {
    guard sequencer.isValid(value) else { return fail(load, with: sequencer.invalid(value)) }
    sequencer.finishLoading(
      load.number, with: value, generation: load.basis.parameter, isRecommended: isRecommended,
      result: load.result
    ) { endIfCurrent(load) }
  }

  private func fail(_ load: Tracker.Load, with error: ParameterError) {
    guard endIfCurrent(load) else { return }
    sequencer.failLoading(load.number, error, for: load.result)
  }

  /// Ends the load and returns true; returns false if the load was replaced, because its result is
  /// then already settled.
  private func endIfCurrent(_ load: Tracker.Load) -> Bool {
    tracker.withLock { $0.end(load.number) } != nil
  }
}

/// The state machine of the current load. There is at most one; a new reload shares or replaces it.
struct LoadTracker<Value: Equatable & Sendable>: Sendable {
  private(set) var current: Load?
  private var count: UInt64 = 0

  /// The inputs of a load: while both are unchanged, another load would return the same value.
  struct Basis: Equatable, Sendable {
    /// The generation of the data source.
    let source: UInt64
    /// The generation of the parameter's values.
    let parameter: UInt64
  }

  struct Load: Sendable {
    let number: UInt64
    let basis: Basis
    let result: ResultPublisher<Value, ParameterError>
    var task: Task<Void, Never>?
  }

  enum Beginning: Sendable {
    case shared(Load)
    case new(Load, replaced: Load?)
  }

  /// Begins a reload: shares the current load if nothing has changed, otherwise replaces it.
  mutating func begin(
    _ result: ResultPublisher<Value, ParameterError>, basis: Basis
  ) -> Beginning {
    if let current, current.basis == basis { return .shared(current) }
    let replaced = current
    count += 1
    let load = Load(number: count, basis: basis, result: result)
    current = load
    return .new(load, replaced: replaced)
  }

  /// Stores the load's task; false if the load was replaced or has ended.
  mutating func keep(_ task: Task<Void, Never>, ofLoad number: UInt64) -> Bool {
    guard current?.number == number else { return false }
    current?.task = task
    return true
  }

  /// Ends a load; nil if it was replaced meanwhile.
  mutating func end(_ number: UInt64) -> Load? {
    guard current?.number == number else { return nil }
    return current.take()
  }

  /// Ends all loading: returns the load to cancel.
  mutating func close() -> Load? {
    current.take()
  }
}
