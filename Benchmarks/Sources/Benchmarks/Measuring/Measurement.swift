import AllocationCount

/// The cost of one operation: the minimum and the median time over several rounds, usually in ns,
/// and the number of allocations.
struct Measurement {
  var best: Double
  var median: Double
  var allocations: Double

  /// Measures the mean time and the mean number of allocations of one operation.
  ///
  /// - Parameters:
  ///   - rounds: The number of timed rounds. An additional round before them is not timed.
  ///   - operations: The number of operations in one call of `body`, which is one round.
  static func nanoseconds(
    rounds: Int = 15, operations: Int, _ body: () -> Void
  ) -> Measurement {
    body()
    let clock = ContinuousClock()
    var times: [Double] = []
    let allocated = allocation_count()
    for _ in 0..<rounds {
      let time = clock.measure(body)
      times.append(time / .nanoseconds(1) / Double(operations))
    }
    let allocations = Double(allocation_count() - allocated) / Double(rounds * operations)
    times.sort()
    return Measurement(best: times[0], median: times[rounds / 2], allocations: allocations)
  }
}

/// Uses a value, so that the optimiser does not remove its computation.
@inline(never)
@_optimize(none)
func keep<T>(_ value: T) {}
