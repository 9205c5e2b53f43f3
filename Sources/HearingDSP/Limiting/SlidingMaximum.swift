/// The maximum of the last `length` numbers, none of them negative.
///
/// After van Herk (1992) and Gil & Werman (1993): within segments as long as the window, the maximum
/// of the segment so far and that of the rest of the one before. Two comparisons a number, and one
/// pass over a segment at its end. A value of a pointer and counters; its owner calls `deallocate()`.
struct SlidingMaximum {
  private let length: Int
  /// Before `position` the numbers of this segment; behind it, of the segment before, the greatest
  /// from there to its end.
  private let segment: UnsafeMutablePointer<Float>
  private var position = 0
  private var greatest: Float = 0

  /// A window of `length` numbers, zeros at first.
  init(length: Int) {
    self.length = length
    segment = .filled(0, count: length + 1)
  }

  func deallocate() {
    segment.deallocate()
  }

  /// Forgets every number.
  @_noLocks @_noAllocation
  mutating func clear() {
    for index in 0...length { segment[index] = 0 }
    position = 0
    greatest = 0
  }

  /// Adds a number.
  ///
  /// - Returns: the greatest of the last `length`, including it.
  @_noLocks @_noAllocation @inline(__always)
  mutating func add(_ number: Float) -> Float {
    segment[position] = number
    if number > greatest { greatest = number }
    position += 1
    // The place after the segment always holds zero.
    let before = segment[position]
    let result = before > greatest ? before : greatest
    if position == length { turn() }
    return result
  }

  /// Begins another segment.
  @_noLocks @_noAllocation
  private mutating func turn() {
    var index = length - 1
    while index > 0 {
      if segment[index] > segment[index - 1] { segment[index - 1] = segment[index] }
      index -= 1
    }
    position = 0
    greatest = 0
  }
}
