internal import HearingDSP

/// Owns one allocation of single-precision numbers, all of them 0 at first, and hands out parts of it.
///
/// A stage keeps it beside the pointers that it took, so the memory lives exactly as long as the
/// stage.
struct FloatMemory: ~Copyable {
  private let start: UnsafeMutablePointer<Float>
  private let capacity: Int
  private var used = 0

  /// Allocates `capacity` numbers.
  init(capacity: Int) {
    start = .filled(0, count: capacity)
    self.capacity = capacity
  }

  deinit { start.deallocate() }

  /// The next `count` numbers. They must not be used after this value is gone.
  mutating func take(_ count: Int) -> UnsafeMutablePointer<Float> {
    precondition(
      used + count <= capacity, "\(used) of \(capacity) numbers are taken, \(count) do not fit")
    defer { used += count }
    return start + used
  }

  /// Sets all numbers to 0.
  @_noLocks @_noAllocation
  func clear() {
    for index in 0..<capacity { start[index] = 0 }
  }
}
