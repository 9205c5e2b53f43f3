/// A first-in, first-out queue. `append` and `popFirst` run in amortised constant time.
package struct FIFO<Element> {
  /// The elements of the queue, beginning at the index `head`. After `head`, an entry is nil if
  /// `remove(where:)` has removed its element.
  private var elements: ContiguousArray<Element?> = []
  private var head = 0
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  package mutating func append(_ element: Element) {
    elements.append(element)
    count += 1
  }

  package mutating func popFirst() -> Element? {
    while head < elements.count {
      let element = elements[head].take()
      head += 1
      guard let element else { continue }
      count -= 1
      trim()
      return element
    }
    return nil
  }

  /// Removes the elements for which `condition` returns true. Returns the removed elements in the
  /// order of the queue.
  ///
  /// - Parameter condition: Returns true to remove an element, false to leave the element in the
  ///   queue, or nil to end the search. If `condition` returns nil for an element, this element and
  ///   all later elements remain in the queue.
  mutating func remove(where condition: (Element) -> Bool?) -> [Element] {
    var removed: [Element] = []
    for index in head..<elements.count {
      guard let element = elements[index] else { continue }
      guard let isRemoved = condition(element) else { break }
      guard isRemoved else { continue }
      removed.append(element)
      elements[index] = nil
    }
    count -= removed.count
    if !removed.isEmpty { trim() }
    return removed
  }

  /// Removes all elements, and returns the elements in the order of the queue.
  mutating func removeAll() -> [Element] { remove { _ in true } }

  /// Returns the last element for which `condition` returns true, or nil if there is no such
  /// element.
  func last(where condition: (Element) -> Bool) -> Element? {
    elements[head...].last { $0.map(condition) ?? false } ?? nil
  }

  /// Moves `head` past removed elements. If many entries belong to removed elements, releases the
  /// memory of these entries.
  private mutating func trim() {
    while head < elements.count, elements[head] == nil { head += 1 }
    if count == 0 {
      elements.removeAll(keepingCapacity: elements.count <= 64)
      head = 0
    } else if elements.count - count > max(64, elements.count / 2) {
      elements = ContiguousArray(elements[head...].lazy.filter { $0 != nil })
      head = 0
    }
  }
}

extension FIFO: Sendable where Element: Sendable {}
