/// A view of contiguous elements in memory that it does not own, such as that of an ``OwnedRow``.
///
///     for index in 0..<count { target[index] = source[index] * gain }
///
/// Signal code reads and writes memory only through this type. Index 0 is the first element of the
/// row; a row that begins inside a larger block of memory also has valid negative indices. Debug
/// builds stop at an index outside the memory. Release builds do not check; a row is then as small
/// and as fast as a pointer. A row must not be used after its memory is freed.
@safe
@usableFromInline
package struct Row<Element: ~Copyable>: BitwiseCopyable {
  @usableFromInline let start: UnsafeMutablePointer<Element>
  #if DEBUG
    /// The valid indices are `lowerBound`..<`end`.
    @usableFromInline let lowerBound: Int
    @usableFromInline let end: Int
  #endif

  /// The `count` elements that begin at `start`.
  @unsafe @_transparent
  @usableFromInline package init(_ start: UnsafeMutablePointer<Element>, count: Int) {
    unsafe self.init(start, lowerBound: 0, end: count)
  }

  @unsafe @_transparent
  @usableFromInline init(_ start: UnsafeMutablePointer<Element>, lowerBound: Int, end: Int) {
    unsafe self.start = start
    #if DEBUG
      self.lowerBound = lowerBound
      self.end = end
    #endif
  }

  /// The `count` elements that begin at `start`, which must only be read.
  @unsafe @_transparent
  @usableFromInline package init(reading start: UnsafePointer<Element>, count: Int) {
    unsafe self.init(UnsafeMutablePointer(mutating: start), count: count)
  }

  /// Stops a debug build unless all of the `length` elements that begin at `index` are in the
  /// memory.
  @_transparent
  @usableFromInline package func check(_ index: Int, _ length: Int) {
    #if DEBUG
      precondition(
        index >= lowerBound && length >= 0 && index &+ length <= end,
        "elements \(index)..<\(index &+ length) of a row \(lowerBound)..<\(end)")
    #endif
  }

  /// The element at `index`, accessed in place.
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
      return unsafe Row(start + index, lowerBound: lowerBound &- index, end: end &- index)
    #else
      return unsafe Row(start + index, lowerBound: 0, end: 0)
    #endif
  }

  /// The `count` elements that begin at `index`; no other index is valid.
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

  /// Allocates `count` elements, made by `make` in index order, for memory with several owners. The
  /// last owner calls ``deallocate(count:)``. For a single owner, use ``OwnedRow``.
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

  /// Whether two rows begin at the same address.
  @_transparent
  @usableFromInline package func isSame(as other: Row) -> Bool {
    unsafe start == other.start
  }
}

extension Row where Element: BitwiseCopyable {
  /// Allocates `count` elements, all equal to `value`, as ``allocated(count:_:)`` does.
  @inlinable package static func filled(_ value: Element, count: Int) -> Row {
    let start = UnsafeMutablePointer<Element>.allocate(capacity: count)
    unsafe start.initialize(repeating: value, count: count)
    return unsafe Row(start, count: count)
  }
}
