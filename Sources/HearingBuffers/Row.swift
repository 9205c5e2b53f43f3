/// A view of contiguous elements in memory. A row does not own the memory. The owner of the memory
/// is, for example, an ``OwnedRow``.
///
///     for index in 0..<count { target[index] = source[index] * gain }
///
/// Code that processes audio reads and writes memory only through `Row`. Index 0 is the first
/// element of the row. If a row begins inside a larger block of memory, negative indices are valid
/// and refer to elements before the start of the row. A debug build stops the program if an index
/// is outside the block of memory. A release build does not check indices. In a release build, a
/// row contains only a pointer. A row must not be used after its memory has been freed.
@safe
@usableFromInline
package struct Row<Element: ~Copyable>: BitwiseCopyable {
  @usableFromInline let start: UnsafeMutablePointer<Element>
  #if DEBUG
    /// The valid indices are `lowerBound`..<`end`.
    @usableFromInline let lowerBound: Int
    @usableFromInline let end: Int
  #endif

  /// Creates a view of the `count` elements that begin at `start`.
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

  /// Creates a view of the `count` elements that begin at `start`. The view must not be used to
  /// write elements.
  @unsafe @_transparent
  @usableFromInline package init(reading start: UnsafePointer<Element>, count: Int) {
    unsafe self.init(UnsafeMutablePointer(mutating: start), count: count)
  }

  /// In a debug build, stops the program if any index from `index` to `index` + `length` − 1 is not
  /// valid for the row.
  @_transparent
  @usableFromInline package func check(_ index: Int, _ length: Int) {
    #if DEBUG
      precondition(
        index >= lowerBound && length >= 0 && index &+ length <= end,
        "elements \(index)..<\(index &+ length) of a row \(lowerBound)..<\(end)")
    #endif
  }

  /// Reads or writes the element at `index` without a copy of the element.
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

  /// A row that begins at the element with the index `index` of this row.
  @_transparent
  @usableFromInline package func from(_ index: Int) -> Row {
    #if DEBUG
      check(index, 0)
      return unsafe Row(start + index, lowerBound: lowerBound &- index, end: end &- index)
    #else
      return unsafe Row(start + index, lowerBound: 0, end: 0)
    #endif
  }

  /// A row of the `count` elements that begin at `index`. Only the indices 0..<`count` of the new
  /// row are valid.
  @_transparent
  @usableFromInline package func part(from index: Int, count: Int) -> Row {
    check(index, count)
    return unsafe Row(start + index, count: count)
  }

  /// The address of the first element, for functions with pointer parameters.
  @unsafe
  @usableFromInline package var pointer: UnsafeMutablePointer<Element> {
    @_transparent get { unsafe start }
  }

  /// Allocates memory for `count` elements. The closure `make` returns the element for an index.
  /// The closure is called once per index, in ascending order. The memory may have several owners.
  /// The last owner must call ``deallocate(count:)``. For a single owner, use ``OwnedRow``.
  @inlinable package static func allocated(count: Int, _ make: (Int) -> Element) -> Row {
    let start = UnsafeMutablePointer<Element>.allocate(capacity: count)
    for index in 0..<count { unsafe (start + index).initialize(to: make(index)) }
    return unsafe Row(start, count: count)
  }

  /// Frees memory that ``allocated(count:_:)`` has allocated. After this call, do not use any copy
  /// of the row.
  @unsafe
  @inlinable package func deallocate(count: Int) {
    unsafe start.deinitialize(count: count)
    unsafe start.deallocate()
  }

  /// A row without elements, used as a placeholder until a row is assigned.
  package static var empty: Row {
    let address = MemoryLayout<Element>.alignment
    return unsafe Row(UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped, count: 0)
  }

  /// Whether this row and `other` begin at the same memory address.
  @_transparent
  @usableFromInline package func isSame(as other: Row) -> Bool {
    unsafe start == other.start
  }
}

extension Row where Element: BitwiseCopyable {
  /// Copies all elements of the array `source` to the start of the row.
  package func copy(_ source: [Element]) {
    check(0, source.count)
    unsafe source.withUnsafeBufferPointer { source in
      guard let first = source.baseAddress else { return }
      unsafe start.update(from: first, count: source.count)
    }
  }

  /// Allocates `count` elements that are all equal to `value`. The last owner must call
  /// ``deallocate(count:)``.
  @inlinable package static func filled(_ value: Element, count: Int) -> Row {
    let start = UnsafeMutablePointer<Element>.allocate(capacity: count)
    unsafe start.initialize(repeating: value, count: count)
    return unsafe Row(start, count: count)
  }
}
