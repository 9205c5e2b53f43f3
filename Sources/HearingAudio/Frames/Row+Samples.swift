internal import HearingBuffers

extension Row where Element: BitwiseCopyable {
  /// Copies the first `count` elements of `source` to this row.
  func copy(_ source: Row, count: Int) {
    check(0, count)
    source.check(0, count)
    // Unsafe: the source and the destination have `count` elements. In a debug build, `check`
    // verifies this condition.
    unsafe pointer.update(from: source.pointer, count: count)
  }

  /// Sets the first `count` elements to `value`.
  func fill(_ value: Element, count: Int) {
    for index in 0..<count { self[index] = value }
  }
}

extension Row<UInt8> {
  /// Creates a row that contains the bytes of a buffer. Returns nil if the buffer has no memory.
  @unsafe
  init?(reading bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return nil }
    // Unsafe: the buffer has `count` bytes, and every byte is a valid `UInt8`.
    unsafe self.init(reading: start.assumingMemoryBound(to: UInt8.self), count: bytes.count)
  }

  /// Returns the number that is stored at byte `index`. The index need not be aligned.
  @inline(__always)
  func load<Number: BitwiseCopyable>(at index: Int) -> Number {
    check(index, MemoryLayout<Number>.size)
    // Unsafe: the row contains all bytes of the number. In a debug build, `check` verifies this
    // condition. Every bit pattern is a valid number.
    return unsafe UnsafeRawPointer(pointer + index).loadUnaligned(as: Number.self)
  }

  /// Stores a number at byte `index`. The index need not be aligned.
  @inline(__always)
  func store<Number: BitwiseCopyable>(_ number: Number, at index: Int) {
    check(index, MemoryLayout<Number>.size)
    // Unsafe: the row contains all bytes of the number. In a debug build, `check` verifies this
    // condition.
    unsafe UnsafeMutableRawPointer(pointer + index).storeBytes(of: number, as: Number.self)
  }
}
