/// Owns contiguous memory for elements, and frees the memory when the `OwnedRow` is destroyed.
///
///     struct TrimStage: ~Copyable, RenderStage {
///       private let gains: OwnedRow<Float>
///
///       init(channelCount: Int) { gains = .filled(1, count: channelCount) }
///       …
///     }
///
/// The initializer allocates the memory, and `deinit` frees the memory. Never create or destroy an
/// `OwnedRow` on the audio thread. The property ``row`` is constant. Therefore code on the audio
/// thread can write elements without exclusive access to the `OwnedRow`.
@safe
@usableFromInline
package struct OwnedRow<Element: ~Copyable>: ~Copyable {
  /// A view of all elements. The view is valid as long as the `OwnedRow` exists.
  @usableFromInline package let row: Row<Element>

  /// The number of elements in the row.
  @usableFromInline package let count: Int

  /// Creates a row of `count` elements. The closure `make` returns the element for an index. The
  /// closure is called once per index, in ascending order.
  @inlinable package init(count: Int, _ make: (Int) -> Element) {
    self.init(.allocated(count: count, make), count: count)
  }

  @usableFromInline init(_ row: Row<Element>, count: Int) {
    self.row = row
    self.count = count
  }

  /// Creates a row of one element.
  package init(_ element: consuming Element) {
    let start = UnsafeMutablePointer<Element>.allocate(capacity: 1)
    unsafe start.initialize(to: element)
    row = unsafe Row(start, count: 1)
    count = 1
  }

  deinit {
    unsafe row.deallocate(count: count)
  }

  /// Reads or writes the element at `index` without a copy of the element. A debug build stops the
  /// program if `index` is out of range.
  @usableFromInline package subscript(index: Int) -> Element {
    @_transparent unsafeAddress {
      row.check(index, 1)
      return unsafe UnsafePointer(row.pointer + index)
    }
    @_transparent nonmutating unsafeMutableAddress {
      row.check(index, 1)
      return unsafe row.pointer + index
    }
  }

  /// A row that begins at the element with the index `index`.
  @_transparent
  @usableFromInline package func from(_ index: Int) -> Row<Element> {
    row.from(index)
  }
}

extension OwnedRow where Element: BitwiseCopyable {
  /// Creates a row of `count` elements that are all equal to `value`.
  @inlinable package static func filled(_ value: Element, count: Int) -> OwnedRow {
    OwnedRow(.filled(value, count: count), count: count)
  }

  /// Sets all elements to `value`.
  @inlinable package func fill(_ value: Element) {
    for index in 0..<count { self[index] = value }
  }
}
