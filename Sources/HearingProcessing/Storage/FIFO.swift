/// A queue: first in, first out, both ends in constant time.
@usableFromInline
package struct FIFO<Element> {
  @usableFromInline var elements: ContiguousArray<Element?> = []
  @usableFromInline var head = 0

  @usableFromInline
  package init() {}

  @usableFromInline
  package var isEmpty: Bool { head == elements.count }

  @inlinable
  package mutating func append(_ element: Element) {
    elements.append(element)
  }

  /// Puts an element before all others.
  mutating func prepend(_ element: Element) {
    if head > 0 {
      head -= 1
      elements[head] = element
    } else {
      elements.insert(element, at: 0)
    }
  }

  /// The element that comes next.
  @usableFromInline
  var first: Element? { isEmpty ? nil : elements[head] }

  /// Searches from the end; returns the first result of `transform` that is not nil.
  func last<Found>(_ transform: (Element) -> Found?) -> Found? {
    for case .some(let element) in elements[head...].reversed() {
      if let found = transform(element) { return found }
    }
    return nil
  }

  @inlinable
  package mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let element = elements[head].take()
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: elements.count <= 64)
      head = 0
    } else if head > 64, head > elements.count / 2 {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  /// Removes and returns, in order, every element for which `condition` is true.
  @usableFromInline
  mutating func removeAll(where condition: (Element) -> Bool) -> [Element] {
    guard !isEmpty else { return [] }
    var removed: [Element] = []
    var kept: ContiguousArray<Element?> = []
    for case .some(let element) in elements[head...] {
      if condition(element) {
        removed.append(element)
      } else {
        kept.append(element)
      }
    }
    elements = kept
    head = 0
    return removed
  }
}

extension FIFO: Sendable where Element: Sendable {}
