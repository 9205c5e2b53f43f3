internal import HearingDSP
internal import HearingBuffers

/// The mean of the last `length` integers, without accumulated error.
struct RunningMean: ~Copyable {
  private let length: Int
  private let values: OwnedRow<Int64>
  private var position = 0
  private var sum: Int64 = 0

  /// Creates a mean of `length` numbers. Initially, all these numbers are `value`.
  init(length: Int, of value: Int64) {
    self.length = length
    values = .filled(value, count: length)
    sum = value * Int64(length)
  }

  /// Sets all numbers to `value`.
  mutating func fill(with value: Int64) {
    for index in 0..<length { values[index] = value }
    sum = value * Int64(length)
    position = 0
  }

  /// Replaces the oldest number by `value` and returns the new mean.
  @inline(__always)
  mutating func add(_ value: Int64) -> Int64 {
    sum += value - values[position]
    values[position] = value
    position = position + 1 == length ? 0 : position + 1
    return sum / Int64(length)
  }
}
