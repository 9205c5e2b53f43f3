internal import HearingBuffers
import Synchronization

/// Passes values from one thread to another thread. All operations are wait-free.
///
/// The buffer has three slots. Each of the two threads owns one slot, and never accesses the slot
/// of the other thread. To publish or to receive a value, a thread exchanges its own slot for the
/// third slot. The receiving thread always gets the latest value.
///
/// Two threads may use the buffer at the same time. The publishing thread may call only `back`,
/// `isReceived` and `publish()`. The receiving thread may call only `front`, `hasNewValue` and
/// `receive()`. The word `middle` is the only memory that both threads write. Both threads write
/// `middle` with atomic exchanges. An exchange has release order for the published slot and acquire
/// order for the received slot.
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

  /// Calls `fill` for every slot. Call this method before the threads use the buffer.
  func prepare(_ fill: (inout Slot) -> Void) {
    for index in 0..<Self.slotCount { fill(&slots[index]) }
  }

  /// The slot that the publishing thread may write.
  var back: Row<Slot> { slots.from(Int(backIndex[0])) }

  /// Whether the receiving thread has received the latest published value.
  var isReceived: Bool { middle.load(ordering: .acquiring) & Self.freshBit == 0 }

  /// Publishes the contents of the back slot as the latest value.
  func publish() {
    let index = backIndex.row
    let received = middle.exchange(index[0] | Self.freshBit, ordering: .acquiringAndReleasing)
    index[0] = received & Self.indexBits
  }

  /// The slot that the receiving thread may read.
  var front: Row<Slot> { slots.from(Int(frontIndex[0])) }

  /// Whether there is a published value that has not been received yet.
  var hasNewValue: Bool { middle.load(ordering: .relaxed) & Self.freshBit != 0 }

  /// Exchanges the front slot for the slot with the latest value. If there is no new value, the
  /// method does nothing and returns false.
  func receive() -> Bool {
    guard hasNewValue else { return false }
    let index = frontIndex.row
    let received = middle.exchange(index[0], ordering: .acquiringAndReleasing)
    index[0] = received & Self.indexBits
    return true
  }
}
