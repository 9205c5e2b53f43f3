/// A list of elements in order of insertion. Each element has a unique number. `append` runs in
/// amortised constant time. The search for the number of an element runs in logarithmic time.
///
/// When an element is removed, its entry usually remains in `entries`, with nil instead of the
/// element. If the list has more than 16 entries, and more than half of the entries have no
/// element, the entries without an element are removed. A copy of `entries` does not change when
/// the list changes.
struct OrderedList<Element> {
  typealias Entries = ContiguousArray<(number: UInt64, element: Element?)>

  private(set) var entries: Entries = []
  private(set) var count = 0
  private var lastNumber: UInt64 = 0

  var isEmpty: Bool { count == 0 }

  /// Adds an element at the end.
  ///
  /// - Returns: The number of the element. Two elements of a list never have the same number.
  mutating func append(_ element: Element) -> UInt64 {
    lastNumber += 1
    entries.append((lastNumber, element))
    count += 1
    return lastNumber
  }

  /// Removes and returns the element with the number `number`. Returns nil if there is no such
  /// element.
  mutating func remove(_ number: UInt64) -> Element? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    guard low < entries.count, entries[low].number == number,
      let removed = entries[low].element.take()
    else { return nil }
    count -= 1
    if low == entries.count - 1 { entries.removeLast() }
    if entries.count > 16, count < entries.count / 2 { entries.removeAll { $0.element == nil } }
    return removed
  }

  /// Removes all elements, and returns the elements in order of insertion.
  mutating func removeAll() -> [Element] {
    let all = entries.compactMap(\.element)
    entries = []
    count = 0
    return all
  }
}

extension OrderedList: Sendable where Element: Sendable {}
