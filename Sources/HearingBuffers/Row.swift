/// A view of elements that lie side by side in memory owned by somebody else, such as an
/// ``OwnedRow``.
///
///     for index in 0..<count { target[index] = source[index] * gain }
///
/// The one type through which signal code reads and writes memory. Index 0 is where the row begins;
/// a row that begins inside other memory also has negative indices. Debug builds stop at an index
/// outside the memory. Release builds do not check: there a row is as small and as fast as a
/// pointer. A row must not be used after its memory is gone.
@safe
@usableFromInline
package struct Row<Element: ~Copyable>: BitwiseCopyable {
  @usableFromInline let start: UnsafeMutablePointer<Element>
  #if DEBUG
    /// The valid indices are `lowest`..<`end`.
    @usableFromInline let lowest: Int
    @usableFromInline let end: Int
  #endif

  /// The `count` elements from `start` on.
  @unsafe @_transparent
  @usableFromInline package init(_ start: UnsafeMutablePointer<Element>, count: Int) {
    unsafe self.init(start, lowest: 0, end: count)
  }

  @unsafe @_transparent
  @usableFromInline init(_ start: UnsafeMutablePointer<Element>, lowest: Int, end: Int) {
    unsafe self.start = start
    #if DEBUG
      self.lowest = lowest
      self.end = end
    #endif
  }

  /// The `count` elements from `start` on, which must only be read.
  @unsafe @_transparent
  @usableFromInline package init(reading start: UnsafePointer<Element>, count: Int) {
    unsafe self.init(UnsafeMutablePointer(mutating: start), count: count)
  }

  /// Stops a debug build unless `length` elements from `index` on lie in the memory.
  @_transparent
  @usableFromInline package func check(_ index: Int, _ length: Int) {
    #if DEBUG
      precondition(
        index >= lowest && length >= 0 && index &+ length <= end,
        "elements \(index)..<\(index &+ length) of a row \(lowest)..<\(end)")
    #endif
  }

  /// The element at `index`, in place.
  @usableFromInline package subscript(index: Int) -> Element {
    @_transparent unsafeAddress {
      check(index, 1)
      return unsafe UnsafePointer(start + index)
    }
    @_transparent nonmutating unsafeMutableAddress {
      check(index, 1)
      return unsafe start + index
    }
  }

  /// The row that begins at `index`.
  @_transparent
  @usableFromInline package func from(_ index: Int) -> Row {
    #if DEBUG
      check(index, 0)
      return unsafe Row(start + index, lowest: lowest &- index, end: end &- index)
    #else
      return unsafe Row(start + index, lowest: 0, end: 0)
    #endif
  }

  /// The `count` elements from `index` on, and nothing around them.
  @_transparent
  @usableFromInline package func part(from index: Int, count: Int) -> Row {
    check(index, count)
    return unsafe Row(start + index, count: count)
  }

  /// The first element's address, for code that takes pointers.
  @unsafe
  @usableFromInline package var pointer: UnsafeMutablePointer<Element> {
    @_transparent get { unsafe start }
  }

  /// Memory for `count` elements, made by `make` from index 0 on, for owners that share it; the last
  /// of them calls ``deallocate(count:)``. Where there is one owner, use ``OwnedRow``.
  @inlinable package static func allocated(count: Int, _ make: (Int) -> Element) -> Row {
    let start = UnsafeMutablePointer<Element>.allocate(capacity: count)
    for index in 0..<count { unsafe (start + index).initialize(to: make(index)) }
    return unsafe Row(start, count: count)
  }

  /// Frees memory from ``allocated(count:_:)``; no copy of this row may be used afterwards.
  @unsafe
  @inlinable package func deallocate(count: Int) {
    unsafe start.deinitialize(count: count)
    unsafe start.deallocate()
  }

  /// A row without elements, for a variable that gets its row later.
  package static var empty: Row {
    let address = MemoryLayout<Element>.alignment
    return unsafe Row(UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped, count: 0)
  }

  /// Whether two rows begin at the same place.
  @_transparent
  @usableFromInline package func isSame(as other: Row) -> Bool {
    unsafe start == other.start
  }
}

extension Row where Element: BitwiseCopyable {
  /// Memory for `count` elements, all of them `value`, as from ``allocated(count:_:)``.
  @inlinable package static func filled(_ value: Element, count: Int) -> Row {
    let start = UnsafeMutablePointer<Element>.allocate(capacity: count)
    unsafe start.initialize(repeating: value, count: count)
    return unsafe Row(start, count: count)
  }
}
