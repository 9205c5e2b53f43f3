import Foundation

/// Where along an axis a value is drawn.
struct Scale: Sendable, Equatable {
  /// How values are spread: evenly, or by their logarithm.
  enum Spread: Sendable {
    case linear
    case logarithmic
  }

  let spread: Spread
  let values: ClosedRange<Double>
  /// The coordinates of the lowest and of the highest value; the first may be the larger.
  let start: Double
  let end: Double

  init(_ spread: Spread, _ values: ClosedRange<Double>, from start: Double, to end: Double) {
    precondition(values.lowerBound < values.upperBound, "an axis of one value: \(values)")
    self.spread = spread
    self.values = values
    self.start = start
    self.end = end
  }

  /// The coordinate of a value, on the straight line beyond the ends.
  func position(of value: Double) -> Double {
    let low = spreadOut(values.lowerBound)
    let share = (spreadOut(value) - low) / (spreadOut(values.upperBound) - low)
    return start + share * (end - start)
  }

  private func spreadOut(_ value: Double) -> Double {
    switch spread {
    case .linear: value
    case .logarithmic: log2(value)
    }
  }
}
