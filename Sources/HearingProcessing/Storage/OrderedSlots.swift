/// What can stand in `OrderedSlots`: an object that remembers where it stands.
@usableFromInline
protocol Slotted: AnyObject {
  /// The place in the collection that holds it, or −1. Guarded by that collection's lock.
  var slot: Int { get set }
}

/// Objects in the order of their arrival; adding and removing take constant time, amortised.
///
/// Removing leaves a hole; when half of the places are holes they are closed. A copy of `places`
/// is a snapshot: it keeps its objects while the collection goes on changing.
@usableFromInline
struct OrderedSlots<Element: Slotted> {
  @usableFromInline var places: ContiguousArray<Element?> = []
  @usableFromInline var count = 0

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { count == 0 }

  @inlinable
  mutating func append(_ element: Element) {
    element.slot = places.count
    places.append(element)
    count += 1
  }

  /// Takes `element` out and returns the collection's reference to it, or nil if it is not there.
  @inlinable
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

  /// Takes everything out, in order.
  @inlinable
  mutating func removeAll() -> ContiguousArray<Element?> {
    let all = places
    for element in all { element?.slot = -1 }
    places = []
    count = 0
    return all
  }

  @inlinable
  mutating func closeHoles() {
    places.removeAll { $0 == nil }
    for index in places.indices { places[index]?.slot = index }
  }
}

extension OrderedSlots: Sendable where Element: Sendable {}
