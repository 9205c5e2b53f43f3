/// A function that consists of straight lines between points. The value is constant below the first
/// point and above the last point. Prescription tables and preset curves use a ``PiecewiseLine``.
///
/// The x axis may be the `log2` of a frequency, a frequency or a level. At the x value of a point,
/// the result is exactly the y value of the point.
struct PiecewiseLine: Sendable, Equatable {
  /// The x values of the points: at least one, finite and strictly rising.
  let x: [Double]
  /// The y values of the points: one finite value for each x value.
  let y: [Double]

  init(x: [Double], y: [Double]) {
    precondition(!x.isEmpty && x.count == y.count, "\(x.count) abscissas, \(y.count) values")
    self.x = x
    self.y = y
  }

  /// A line with the same y value at every x value.
  static func constant(_ value: Double) -> PiecewiseLine { PiecewiseLine(x: [0], y: [value]) }

  /// The y value at the x value `position`. The x value may be infinite, but must not be NaN.
  func value(at position: Double) -> Double {
    precondition(!position.isNaN, "the position on a line is not a number")
    let last = x.count - 1
    if position <= x[0] { return y[0] }
    if position >= x[last] { return y[last] }
    let upper = x.firstIndex(notBelow: position)
    if x[upper] == position { return y[upper] }
    let fraction = (position - x[upper - 1]) / (x[upper] - x[upper - 1])
    return y[upper - 1] + fraction * (y[upper] - y[upper - 1])
  }

  /// The x values at which the line crosses the y value `level`. A crossing exactly at a point is
  /// omitted.
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

  /// The minimum of two lines at every x value.
  func minimum(_ other: PiecewiseLine) -> PiecewiseLine {
    let bends = Set(x + other.x).sorted()
    let difference = PiecewiseLine(x: bends, y: bends.map { value(at: $0) - other.value(at: $0) })
    let positions = Set(bends + difference.crossings(of: 0)).sorted()
    return PiecewiseLine(
      x: positions, y: positions.map { min(value(at: $0), other.value(at: $0)) })
  }

  /// Lowers the line at x values below `knee`. If the x value falls by 1, the y value falls by at
  /// least `slope`, until the y value is 0.
  func expanding(below knee: Double, slope: Double) -> PiecewiseLine {
    precondition(slope > 0, "an expansion slope of \(slope)")
    let top = value(at: knee)
    guard top > 0 else {
      let positions = Set(x + [knee]).sorted()
      return PiecewiseLine(
        x: positions, y: positions.map { $0 < knee ? min(0, value(at: $0)) : value(at: $0) })
    }
    let start = knee - top / slope
    let below = Set(x.filter { $0 < knee } + [start, knee]).sorted()
    let lowered = PiecewiseLine(x: below, y: below.map(value))
      .minimum(PiecewiseLine(x: [start, knee], y: [0, top]))
    let above = x.filter { $0 > knee }
    return PiecewiseLine(x: lowered.x + above, y: lowered.y + above.map(value))
  }

  /// The line with every y value multiplied by `factor`.
  func scaled(by factor: Double) -> PiecewiseLine { PiecewiseLine(x: x, y: y.map { $0 * factor }) }
}

/// A table of values at frequencies in Hz. Between two frequencies, the values are linear in the
/// logarithm of frequency. Outside the table, the values are constant.
package struct FrequencyTable: Sendable, Equatable {
  /// The frequencies in Hz, strictly rising, above 0.
  package let frequencies: [Double]
  private let line: PiecewiseLine

  package init(frequencies: [Double], values: [Double]) {
    self.frequencies = frequencies
    line = PiecewiseLine(x: frequencies.map(CMath.binaryLogarithm), y: values)
  }

  /// The value at a frequency above 0, in Hz.
  package func value(at frequency: Double) -> Double {
    precondition(frequency > 0, "a frequency of \(frequency) Hz")
    return line.value(at: CMath.binaryLogarithm(frequency))
  }

  /// The frequencies in Hz at which the interpolated value crosses `level`. A crossing exactly at
  /// an entry of the table is omitted.
  func crossings(of level: Double) -> [Double] { line.crossings(of: level).map(CMath.binaryPower) }
}
