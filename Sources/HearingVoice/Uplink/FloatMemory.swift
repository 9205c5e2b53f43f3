internal import HearingDSP
internal import HearingBuffers

/// Owns one allocation of single-precision numbers, all of them 0 at first, and hands out parts of it.
///
/// A stage keeps it beside the rows that it took, so the memory lives exactly as long as the
/// stage.
struct FloatMemory: ~Copyable {
  private let numbers: OwnedRow<Float>
  private var used = 0

  /// Allocates `capacity` numbers.
  init(capacity: Int) {
    numbers = .filled(0, count: capacity)
  }

  /// The next `count` numbers. They must not be used after this value is gone.
  mutating func take(_ count: Int) -> Row<Float> {
    precondition(
      used + count <= numbers.count,
      "\(used) of \(numbers.count) numbers are taken, \(count) do not fit")
    defer { used += count }
    return numbers.row.part(from: used, count: count)
  }

  /// Sets all numbers to 0.
  func clear() {
    for index in 0..<numbers.count { numbers[index] = 0 }
  }
}
