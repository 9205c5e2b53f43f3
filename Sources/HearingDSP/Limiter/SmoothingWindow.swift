internal import HearingBuffers

/// A moving average with triangular weights, for numbers within 0…1. The triangular weights are the
/// result of two simple moving averages in series.
///
/// The sums are integers. Therefore rounding errors do not accumulate, and the mean of zeros is
/// exactly zero.
struct SmoothingWindow: ~Copyable {
  /// The numbers of the first moving average. A `RunningSum` for the first moving average would
  /// need twice as much memory.
  private let first: OwnedRow<Int32>
  private var position = 0
  private var sum: Int64 = 0
  private var second: RunningSum
  private let scale: Double

  /// Creates a moving average of `length` numbers, which are initially 0.
  init(length: Int) {
    let lengths = ((length + 1) / 2, length + 1 - (length + 1) / 2)
    first = .filled(0, count: lengths.0)
    second = RunningSum(length: lengths.1)
    scale = 1 / (Double(Self.one) * Double(lengths.0) * Double(lengths.1))
  }

  /// Sets all numbers to 0.
  mutating func clear() {
    first.fill(0)
    second.fill(0)
    (position, sum) = (0, 0)
  }

  /// Whether all numbers in the moving average are 0.
  var isEmpty: Bool { sum == 0 && second.sum == 0 }

  /// Adds a number.
  ///
  /// - Returns: the weighted mean of the last numbers, including `number`.
  @inline(__always)
  mutating func add(_ number: Float) -> Double {
    let whole = Int64(number * Self.one)
    sum += whole - Int64(first[position])
    first[position] = Int32(truncatingIfNeeded: whole)
    position = position + 1 == first.count ? 0 : position + 1
    return Double(second.add(sum)) * scale
  }

  /// The integer that represents the number 1 in the sums.
  private static let one: Float = 1_073_741_824
}
