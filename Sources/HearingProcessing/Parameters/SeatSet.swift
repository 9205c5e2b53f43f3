/// A set of places in an `UpdateLine`. Iterating visits them in ascending order.
///
/// It is one word: an array would cost an allocation for each stage of an update.
struct SeatSet: Sequence, IteratorProtocol, Equatable, Sendable {
  /// The maximum number of places in a line.
  static let maximumCount = UInt64.bitWidth

  private var bits: UInt64 = 0

  init() {}

  /// The first `count` places.
  init(first count: Int) {
    bits = count == Self.maximumCount ? .max : (1 << count) - 1
  }

  init(_ seats: some Sequence<Int>) {
    for seat in seats { insert(seat) }
  }

  var isEmpty: Bool { bits == 0 }

  func contains(_ seat: Int) -> Bool { bits & (1 << seat) != 0 }

  mutating func insert(_ seat: Int) {
    bits |= 1 << seat
  }

  func subtracting(_ other: SeatSet) -> SeatSet {
    var rest = self
    rest.bits &= ~other.bits
    return rest
  }

  func intersection(_ other: SeatSet) -> SeatSet {
    var common = self
    common.bits &= other.bits
    return common
  }

  /// Removes and returns the first place.
  mutating func next() -> Int? {
    guard bits != 0 else { return nil }
    let seat = bits.trailingZeroBitCount
    bits &= bits - 1
    return seat
  }
}

/// The order in which the parts of an update apply: those of the first set, then the others.
struct SeatOrder: IteratorProtocol, Sendable {
  private var first: SeatSet
  private var rest: SeatSet

  init(_ parts: SeatSet, first: SeatSet = SeatSet()) {
    self.first = parts.intersection(first)
    rest = parts.subtracting(first)
  }

  mutating func next() -> Int? { first.next() ?? rest.next() }
}
