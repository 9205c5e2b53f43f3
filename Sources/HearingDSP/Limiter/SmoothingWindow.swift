internal import HearingBuffers

/// The weighted mean of numbers in 0…1. The weights form a triangle, because two moving averages
/// are applied one after the other.
///
/// The sums are integers. Therefore rounding errors do not accumulate, and zeros give exactly zero.
struct SmoothingWindow: ~Copyable {
  private let lengths: (Int, Int)
  private let first: OwnedRow<Int32>
  private let second: OwnedRow<Int64>
  private var positions = (0, 0)
  private var sums: (Int64, Int64) = (0, 0)
  private let scale: Double

  /// Creates a window over `length` numbers.
  init(length: Int) {
    lengths = ((length + 1) / 2, length + 1 - (length + 1) / 2)
    first = .filled(0, count: lengths.0)
    second = .filled(0, count: lengths.1)
    scale = 1 / (Double(Self.one) * Double(lengths.0) * Double(lengths.1))
  }

  /// Sets all numbers to 0.
  mutating func clear() {
    for index in 0..<lengths.0 { first[index] = 0 }
    for index in 0..<lengths.1 { second[index] = 0 }
    sums = (0, 0)
    positions = (0, 0)
  }

  /// Whether the window contains only zeros.
  var isEmpty: Bool { sums.0 == 0 && sums.1 == 0 }

  /// Adds a number.
  ///
  /// - Returns: the weighted mean of the window.
  @inline(__always)
  mutating func add(_ number: Float) -> Double {
    let whole = Int64(number * Self.one)
    sums.0 += whole - Int64(first[positions.0])
    first[positions.0] = Int32(truncatingIfNeeded: whole)
    positions.0 = positions.0 + 1 == lengths.0 ? 0 : positions.0 + 1
    sums.1 += sums.0 - second[positions.1]
    second[positions.1] = sums.0
    positions.1 = positions.1 + 1 == lengths.1 ? 0 : positions.1 + 1
    return Double(sums.1) * scale
  }

  /// The integer that represents 1.
  private static let one: Float = 1_073_741_824
}
