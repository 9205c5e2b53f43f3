/// Contiguous memory for elements, freed together with its owner.
///
///     struct TrimStage: ~Copyable, RenderStage {
///       private let gains: OwnedRow<Float>
///
///       init(channelCount: Int) { gains = .filled(1, count: channelCount) }
///       …
///     }
///
/// Allocates in its initializer and frees in `deinit`, both on the control side. The row is
/// constant, so the render side can write its elements without exclusive access to the owner.
@safe
@usableFromInline
package struct OwnedRow<Element: ~Copyable>: ~Copyable {
  /// A view of all elements, valid as long as this value exists.
  @usableFromInline package let row: Row<Element>

  /// The number of elements.
  @usableFromInline package let count: Int

  /// Makes `count` elements, in index order.
  @inlinable package init(count: Int, _ make: (Int) -> Element) {
    self.init(.allocated(count: count, make), count: count)
  }

  @usableFromInline init(_ row: Row<Element>, count: Int) {
    self.row = row
    self.count = count
  }

  /// A row of one element.
  package init(_ element: consuming Element) {
    let start = UnsafeMutablePointer<Element>.allocate(capacity: 1)
    unsafe start.initialize(to: element)
    row = unsafe Row(start, count: 1)
    count = 1
  }

  deinit {
    unsafe row.deallocate(count: count)
  }

  /// The element at `index`, accessed in place. A debug build stops if there is none.
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
  /// `count` elements, all of them `value`.
  @inlinable package static func filled(_ value: Element, count: Int) -> OwnedRow {
    OwnedRow(.filled(value, count: count), count: count)
  }
}
