import Synchronization

/// Hands settings from the control side to the render side, wait-free: a triple buffer.
///
/// One slot belongs to each side, the third changes hands. The latest settings win, and neither
/// side ever sees a slot that the other one is using. A struct of pointers; its owner calls
/// `deallocate()`.
///
/// Safe to use from two threads at once as long as one of them calls only `back` and `publish()`,
/// the other only `front`, `hasNewSettings` and `take()`: `middle` is the one word that both write, by
/// atomic exchange, with release order before a slot is given away and acquire order after one is
/// received.
struct SettingsHandoff {
  private let slots: UnsafeMutablePointer<SettingsSlot>
  private let middle: UnsafeMutablePointer<Atomic<UInt32>>
  private let backIndex: UnsafeMutablePointer<UInt32>
  private let frontIndex: UnsafeMutablePointer<UInt32>

  private static var freshBit: UInt32 { 4 }
  private static var indexBits: UInt32 { 3 }
  private static var slotCount: Int { 3 }

  init(shape: ProcessorShape) {
    slots = .allocate(capacity: Self.slotCount)
    for index in 0..<Self.slotCount {
      (slots + index).initialize(to: SettingsSlot(shape: shape))
    }
    middle = .allocate(capacity: 1)
    middle.initialize(to: Atomic(1))
    backIndex = .allocate(capacity: 1)
    backIndex.initialize(to: 0)
    frontIndex = .allocate(capacity: 1)
    frontIndex.initialize(to: 2)
  }

  func deallocate() {
    for index in 0..<Self.slotCount { slots[index].deallocate() }
    slots.deallocate()
    middle.deinitialize(count: 1)
    middle.deallocate()
    backIndex.deallocate()
    frontIndex.deallocate()
  }

  /// Lets `fill` write every slot before any thread uses the hand-off.
  func prepare(_ fill: (UnsafeMutablePointer<SettingsSlot>) -> Void) {
    for index in 0..<Self.slotCount { fill(slots + index) }
  }

  /// The slot that the control side may write.
  var back: UnsafeMutablePointer<SettingsSlot> { slots + Int(backIndex.pointee) }

  /// Publishes the back slot as the newest settings.
  func publish() {
    let given = backIndex.pointee | Self.freshBit
    let received = middle.pointee.exchange(given, ordering: .acquiringAndReleasing)
    backIndex.pointee = received & Self.indexBits
  }

  /// The slot that the render side may read.
  var front: UnsafeMutablePointer<SettingsSlot> {
    @_noLocks @_noAllocation @inline(__always) get { slots + Int(frontIndex.pointee) }
  }

  /// Whether settings have been published that the render side has not taken.
  var hasNewSettings: Bool {
    @_noLocks @_noAllocation @inline(__always) get {
      middle.pointee.load(ordering: .relaxed) & Self.freshBit != 0
    }
  }

  /// Makes the newest settings the front slot; false if there are no new ones.
  @_noLocks @_noAllocation
  func take() -> Bool {
    guard hasNewSettings else { return false }
    let received = middle.pointee.exchange(
      frontIndex.pointee, ordering: .acquiringAndReleasing)
    frontIndex.pointee = received & Self.indexBits
    return true
  }
}
