internal import HearingBuffers
import Synchronization

/// Hands settings from the control side to the render side, wait-free: a triple buffer.
///
/// One slot belongs to each side; the third one is exchanged. The latest settings win, and neither
/// side ever sees a slot that the other side is using. Copies share the same memory; the processor
/// that creates the hand-off calls `deallocate()`.
///
/// Safe to use from two threads at once as long as one of them calls only `back` and `publish()`,
/// the other only `front`, `hasNewSettings` and `take()`: `middle` is the only word that both
/// write. They exchange it atomically, with release order before a slot is given away and acquire
/// order after one is received.
struct SettingsHandoff {
  private let slots: Row<SettingsSlot>
  private let middle: Row<Atomic<UInt32>>
  private let backIndex: Row<UInt32>
  private let frontIndex: Row<UInt32>

  private static var freshBit: UInt32 { 4 }
  private static var indexBits: UInt32 { 3 }
  private static var slotCount: Int { 3 }

  init(shape: ProcessorShape) {
    slots = .allocated(count: Self.slotCount) { _ in SettingsSlot(shape: shape) }
    middle = .allocated(count: 1) { _ in Atomic(1) }
    backIndex = .allocated(count: 1) { _ in 0 }
    frontIndex = .allocated(count: 1) { _ in 2 }
  }

  @unsafe func deallocate() {
    unsafe slots.deallocate(count: Self.slotCount)
    unsafe middle.deallocate(count: 1)
    unsafe backIndex.deallocate(count: 1)
    unsafe frontIndex.deallocate(count: 1)
  }

  /// Lets `fill` write every slot before any thread uses the hand-off.
  func prepare(_ fill: (inout SettingsSlot) -> Void) {
    for index in 0..<Self.slotCount { fill(&slots[index]) }
  }

  /// The slot that the control side may write.
  var back: Row<SettingsSlot> { slots.from(Int(backIndex[0])) }

  /// Publishes the back slot as the newest settings.
  func publish() {
    let given = backIndex[0] | Self.freshBit
    let received = middle[0].exchange(given, ordering: .acquiringAndReleasing)
    backIndex[0] = received & Self.indexBits
  }

  /// The slot that the render side may read.
  var front: Row<SettingsSlot> {
    @inline(__always) get { slots.from(Int(frontIndex[0])) }
  }

  /// Whether settings have been published that the render side has not taken.
  var hasNewSettings: Bool {
    @inline(__always) get {
      middle[0].load(ordering: .relaxed) & Self.freshBit != 0
    }
  }

  /// Makes the newest settings the front slot. Returns false if there are no new settings.
  func take() -> Bool {
    guard hasNewSettings else { return false }
    let received = middle[0].exchange(
      frontIndex[0], ordering: .acquiringAndReleasing)
    frontIndex[0] = received & Self.indexBits
    return true
  }
}
