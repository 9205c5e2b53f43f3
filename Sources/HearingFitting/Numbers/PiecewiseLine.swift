/// Points joined by straight lines and held beyond both ends: how tables of a prescription and
/// curves of a preset are read.
///
/// The abscissa is whatever the caller makes it: `log2` of a frequency, a frequency, a level.
/// At a point's own abscissa the point's own value is returned, bit for bit.
struct PiecewiseLine: Sendable, Equatable {
  /// Strictly rising and finite; at least one.
  let x: [Double]
  /// One finite value for each abscissa.
  let y: [Double]

  init(x: [Double], y: [Double]) {
    precondition(!x.isEmpty && x.count == y.count, "\(x.count) abscissas, \(y.count) values")
    self.x = x
    self.y = y
  }

  /// The value at `position`, which may be infinite but not NaN.
  func value(at position: Double) -> Double {
    precondition(!position.isNaN, "a position on a line is not a number")
    let last = x.count - 1
    if position <= x[0] { return y[0] }
    if position >= x[last] { return y[last] }
    let upper = firstIndex(notBelow: position)
    if x[upper] == position { return y[upper] }
    let share = (position - x[upper - 1]) / (x[upper] - x[upper - 1])
    return y[upper - 1] + share * (y[upper] - y[upper - 1])
  }

  /// The first index whose abscissa is not below `position`; the count where there is none.
  func firstIndex(notBelow position: Double) -> Int {
    var low = 0
    var high = x.count
    while low < high {
      let middle = (low + high) / 2
      if x[middle] < position { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The places strictly between two points where the line passes through `level`.
  func crossings(of level: Double) -> [Double] {
    var found: [Double] = []
    for upper in x.indices.dropFirst() {
      let before = y[upper - 1] - level
      let after = y[upper] - level
      guard (before < 0 && after > 0) || (before > 0 && after < 0) else { continue }
      found.append(x[upper - 1] + (x[upper] - x[upper - 1]) * (before / (before - after)))
    }
    return found
  }

  /// The line with every value multiplied by `factor`.
  func scaled(by factor: Double) -> PiecewiseLine {
    PiecewiseLine(x: x, y: y.map { $0 * factor })
  }
}
