internal import HearingBuffers
import Synchronization

/// Hands values from one thread to another, wait-free.
///
/// One slot belongs to each side; the third one is exchanged. The latest value wins, and neither
/// side ever sees a slot that the other side is using.
///
/// Safe to use from two threads at once as long as one of them calls only `back`, `isReceived` and
/// `publish()`, the other only `front`, `hasNewValue` and `receive()`: `middle` is the only word
/// that both threads write. They exchange it atomically, with release order before a slot is given
/// away and acquire order after one is received.
struct TripleBuffer<Slot: ~Copyable>: ~Copyable {
  private let slots: OwnedRow<Slot>
  private let middle = Atomic<UInt32>(1)
  private let backIndex = OwnedRow<UInt32>(0)
  private let frontIndex = OwnedRow<UInt32>(2)

  private static var freshBit: UInt32 { 4 }
  private static var indexBits: UInt32 { 3 }
  private static var slotCount: Int { 3 }

  init(_ make: () -> Slot) {
    slots = OwnedRow(count: Self.slotCount) { _ in make() }
  }

  /// Calls `fill` for every slot, before any thread uses the buffer.
  func prepare(_ fill: (inout Slot) -> Void) {
    for index in 0..<Self.slotCount { fill(&slots[index]) }
  }

  /// The slot that the publishing side may write.
  var back: Row<Slot> { slots.from(Int(backIndex[0])) }

  /// Whether the other side has received what was published last.
  var isReceived: Bool { middle.load(ordering: .acquiring) & Self.freshBit == 0 }

  /// Publishes the back slot as the latest value.
  func publish() {
    let index = backIndex.row
    let received = middle.exchange(index[0] | Self.freshBit, ordering: .acquiringAndReleasing)
    index[0] = received & Self.indexBits
  }

  /// The slot that the receiving side may read.
  var front: Row<Slot> { slots.from(Int(frontIndex[0])) }

  /// Whether a value has been published that the receiving side has not received.
  var hasNewValue: Bool { middle.load(ordering: .relaxed) & Self.freshBit != 0 }

  /// Makes the latest value the front slot. Returns false if there is no new one.
  func receive() -> Bool {
    guard hasNewValue else { return false }
    let index = frontIndex.row
    let received = middle.exchange(index[0], ordering: .acquiringAndReleasing)
    index[0] = received & Self.indexBits
    return true
  }
}
