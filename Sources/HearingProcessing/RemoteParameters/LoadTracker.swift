/// Which load is under way, as a state machine: at most one, shared or replaced.
struct LoadTracker<Value: Equatable & Sendable>: Sendable {
  private(set) var current: Load?
  private var count: UInt64 = 0

  /// What a load goes by: as long as both stand, another load would bring the same.
  struct Basis: Equatable, Sendable {
    /// Of the data source.
    let source: UInt64
    /// Of the parameter's values.
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

  /// A reload: shares the load under way if nothing has changed, else replaces it.
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

  /// The load's task has begun: false if nobody waits for it any more.
  mutating func keep(_ task: Task<Void, Never>, ofLoad number: UInt64) -> Bool {
    guard current?.number == number else { return false }
    current?.task = task
    return true
  }

  /// A load came to its end; nil if it was replaced meanwhile.
  mutating func end(_ number: UInt64) -> Load? {
    guard current?.number == number else { return nil }
    return current.take()
  }

  /// Nothing is to be loaded any more: returns the load to cancel.
  mutating func close() -> Load? {
    current.take()
  }
}
