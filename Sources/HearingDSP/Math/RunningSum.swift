internal import HearingBuffers

/// The sum of the last n integers of a sequence. The number n is fixed. The sum has no rounding
/// errors, because the numbers are integers.
package struct RunningSum: ~Copyable {
  private let numbers: OwnedRow<Int64>
  private var position = 0
  package private(set) var sum: Int64

  /// Creates a sum of `length` numbers. Initially, every number is `number`.
  package init(length: Int, of number: Int64 = 0) {
    numbers = .filled(number, count: length)
    sum = number * Int64(length)
  }

  /// Sets all numbers to `number`.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  package mutating func fill(_ number: Int64) {
    numbers.fill(number)
    sum = number * Int64(numbers.count)
    position = 0
  }

  /// Replaces the oldest number by `number` and returns the new sum.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  @inline(__always)
  package mutating func add(_ number: Int64) -> Int64 {
    sum += number - numbers[position]
    numbers[position] = number
    position = position + 1 == numbers.count ? 0 : position + 1
    return sum
  }
}
