/// An element of `OrderedSlots`: an object that stores its own index.
@usableFromInline
protocol Slotted: AnyObject {
  /// The index in the collection that holds it, or −1. Guarded by that collection's lock.
  var slot: Int { get set }
}

/// Objects in order of insertion; adding and removing take amortised constant time.
///
/// Removing leaves a nil; when more than half of `places` are nil they are removed. A copy of
/// `places` is a snapshot: it retains its objects while the collection changes.
@usableFromInline
struct OrderedSlots<Element: Slotted> {
  @usableFromInline var places: ContiguousArray<Element?> = []
  var count = 0

  @usableFromInline
  init() {}

  @usableFromInline
  var isEmpty: Bool { count == 0 }

  @usableFromInline
  mutating func append(_ element: Element) {
    element.slot = places.count
    places.append(element)
    count += 1
  }

  /// Removes `element`; returns the collection's reference to it, or nil if the collection does not
  /// contain it.
  mutating func remove(_ element: Element) -> Element? {
    let slot = element.slot
    guard slot >= 0 else { return nil }
    element.slot = -1
    let removed = places[slot].take()
    count -= 1
    if slot == places.count - 1 {
      places.removeLast()
    }
    if places.count > 16, count < places.count / 2 { closeHoles() }
    return removed
  }

  /// Removes and returns all elements, in order.
  @usableFromInline
  mutating func removeAll() -> ContiguousArray<Element?> {
    let all = places
    for element in all { element?.slot = -1 }
    places = []
    count = 0
    return all
  }

  mutating func closeHoles() {
    places.removeAll { $0 == nil }
    for index in places.indices { places[index]?.slot = index }
  }
}

extension OrderedSlots: Sendable where Element: Sendable {}
