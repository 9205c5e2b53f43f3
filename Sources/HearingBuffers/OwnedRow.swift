/// Owns contiguous memory for elements, and frees the memory when the `OwnedRow` is destroyed.
///
///     struct TrimStage: ~Copyable, RenderStage {
///       private let gains: OwnedRow<Float>
///
///       init(channelCount: Int) { gains = .filled(1, count: channelCount) }
///       …
///     }
///
/// The initializer allocates the memory, and `deinit` frees the memory. Both run on the control
/// side. The property ``row`` is constant. Therefore the render side can write elements without
/// exclusive access to the `OwnedRow`.
@safe
@usableFromInline
package struct OwnedRow<Element: ~Copyable>: ~Copyable {
  /// A view of all elements. The view is valid as long as the `OwnedRow` exists.
  @usableFromInline package let row: Row<Element>

  /// The number of elements.
  @usableFromInline package let count: Int

  /// Creates `count` elements in index order. The closure `make` returns the element for an index.
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

  /// The element at `index`, read or written without a copy. A debug build stops if `index` is out
  /// of range.
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

  /// The row that begins at `index`.
  @_transparent
  @usableFromInline package func from(_ index: Int) -> Row<Element> {
    row.from(index)
  }
}

extension OwnedRow where Element: BitwiseCopyable {
  /// Creates `count` elements that are all equal to `value`.
  @inlinable package static func filled(_ value: Element, count: Int) -> OwnedRow {
    OwnedRow(.filled(value, count: count), count: count)
  }

  /// Sets all elements to `value`.
  @inlinable package func fill(_ value: Element) {
    for index in 0..<count { self[index] = value }
  }
}
