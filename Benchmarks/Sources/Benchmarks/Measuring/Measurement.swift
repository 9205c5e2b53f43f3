import AllocationCount

/// The cost of one operation: the fastest and the median of several rounds.
struct Measurement {
  var best: Double
  var median: Double
  var allocations: Double

  /// Measures the time and the allocations of one operation. Runs `operations` operations per round
  /// and divides by that number.
  ///
  /// - Parameters:
  ///   - rounds: The number of timed rounds; one additional round runs before them.
  ///   - operations: The number of operations in one call of `body`.
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

/// Prevents the optimiser from removing the computation of an unused value.
@inline(never)
@_optimize(none)
func keep<T>(_ value: T) {}
