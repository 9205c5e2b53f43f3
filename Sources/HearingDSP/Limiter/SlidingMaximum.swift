internal import HearingBuffers

/// The maximum of the last `length` numbers of a sequence. The numbers must not be negative.
///
/// The algorithm follows van Herk (1992) and Gil & Werman (1993). The numbers are divided into
/// segments of `length` numbers. The last `length` numbers consist of the end of the previous
/// segment and the start of the current segment. The sliding maximum is the greater of two maxima:
/// the maximum of the end of the previous segment, and the maximum of the start of the current
/// segment. Adding a number needs two comparisons. At the end of a segment, one additional pass
/// over the segment is needed.
struct SlidingMaximum: ~Copyable {
  private let length: Int
  /// The numbers of the current segment are before the index `position`. The other elements contain
  /// maxima of the previous segment. The element at index i is the maximum of the previous segment
  /// from index i to the end of the segment.
  private let segment: OwnedRow<Float>
  private var position = 0
  private var maximum: Float = 0

  /// Creates a sliding maximum of `length` numbers, which are initially 0.
  init(length: Int) {
    self.length = length
    segment = .filled(0, count: length + 1)
  }

  /// Sets all numbers to 0.
  mutating func clear() {
    for index in 0...length { segment[index] = 0 }
    position = 0
    maximum = 0
  }

  /// Adds a number.
  ///
  /// - Returns: the maximum of the last `length` numbers, including `number`.
  mutating func add(_ number: Float) -> Float {
    segment[position] = number
    if number > maximum { maximum = number }
    position += 1
    // The last element of `segment`, at index `length`, is always 0.
    let before = segment[position]
    let result = before > maximum ? before : maximum
    if position == length { startSegment() }
    return result
  }

  /// Starts a new segment.
  private mutating func startSegment() {
    var index = length - 1
    while index > 0 {
      if segment[index] > segment[index - 1] { segment[index - 1] = segment[index] }
      index -= 1
    }
    position = 0
    maximum = 0
  }
}
