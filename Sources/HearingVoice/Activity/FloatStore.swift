internal import HearingDSP

/// Hands out pieces of one allocation of single-precision numbers, all of them 0.
struct FloatStore {
  /// The whole allocation, for whoever frees it.
  let base: UnsafeMutablePointer<Float>
  private let capacity: Int
  private var used = 0

  /// An allocation of `capacity` numbers.
  init(capacity: Int) {
    base = .filled(0, count: capacity)
    self.capacity = capacity
  }

  /// The next `count` numbers.
  mutating func take(_ count: Int) -> UnsafeMutablePointer<Float> {
    precondition(used + count <= capacity, "\(count) numbers more than \(capacity)")
    defer { used += count }
    return base + used
  }
}
