extension Table {
  /// A table of costs beside what they may be at most.
  static func ofCosts() -> Table {
    Table("operation", "at most", "best", "median", "allocations")
  }

  mutating func add(_ name: String, _ limit: Double?, _ cost: Measurement) {
    add(
      name, limit.map { $0.digits(0) } ?? "–", cost.best.digits(1), cost.median.digits(1),
      cost.allocations.isNaN ? "–" : cost.allocations.digits(2))
  }
}

extension Measurement {
  /// The cost of one of `count` parts.
  func divided(by count: Int) -> Measurement {
    let count = Double(count)
    return Measurement(
      best: best / count, median: median / count, allocations: allocations / count)
  }
}
