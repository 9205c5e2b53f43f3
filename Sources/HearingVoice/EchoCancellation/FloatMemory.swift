internal import HearingDSP
internal import HearingBuffers

/// A block of single-precision numbers, initially 0, from which a stage allocates rows.
///
/// A stage stores this value together with the rows, so the memory lives as long as the stage.
struct FloatMemory: ~Copyable {
  private let numbers: OwnedRow<Float>
  private var used = 0

  /// Allocates `capacity` numbers.
  init(capacity: Int) {
    numbers = .filled(0, count: capacity)
  }

  /// Allocates the next `count` numbers. They must not be used after this value is destroyed.
  mutating func allocate(_ count: Int) -> Row<Float> {
    precondition(
      used + count <= numbers.count,
      "\(used) of \(numbers.count) numbers are allocated, \(count) do not fit")
    defer { used += count }
    return numbers.row.part(from: used, count: count)
  }

  /// Sets all numbers to 0.
  func clear() {
    for index in 0..<numbers.count { numbers[index] = 0 }
  }
}
