import Synchronization

/// What the two sides of a `RenderEventRing` share: a ring, and a triple buffer for what does not
/// fit into it.
///
/// Events go into the ring while it has room. When it is full, the latest event of each kind is
/// offered in the triple buffer instead, and so is everything after it until the control side has
/// taken the offer: thus the ring holds nothing newer than an offer, and the order stays whole.
///
/// Safe to use from two threads at once as long as one of them calls only `publish(_:)`, the other
/// only `drain(into:)`: slots are written before `tail` is stored with release order and read after
/// it is loaded with acquire order, and the other way round for `head`; tables change sides by
/// atomic exchange of `middle`.
struct RenderEventMemory: ~Copyable {
  let slots: UnsafeMutablePointer<NumberedRenderEvent>
  let capacity: UInt64
  let head = Atomic<UInt64>(0)
  let tail = Atomic<UInt64>(0)

  let tables: UnsafeMutablePointer<RenderEventLatest>
  let middle = Atomic<UInt32>(1)

  let render: UnsafeMutablePointer<RenderSide>
  let control: UnsafeMutablePointer<ControlSide>

  /// What only the render side touches.
  struct RenderSide {
    var backIndex: UInt32 = 0
    var published: UInt64 = 0
  }

  /// What only the control side touches.
  struct ControlSide {
    var frontIndex: UInt32 = 2
    var delivered: UInt64 = 0
    var missed: UInt64 = 0
  }

  static var freshBit: UInt32 {
    @_noLocks @_noAllocation @inline(__always) get { 4 }
  }

  static var indexBits: UInt32 {
    @_noLocks @_noAllocation @inline(__always) get { 3 }
  }

  /// Three tables that change hands, and one in which the render side collects.
  static var tableCount: Int { 4 }

  static var collectingIndex: Int {
    @_noLocks @_noAllocation @inline(__always) get { 3 }
  }

  init(capacity: Int) {
    slots = .filled(.none, count: capacity)
    self.capacity = UInt64(capacity)
    tables = .allocate(capacity: Self.tableCount)
    for index in 0..<Self.tableCount { (tables + index).initialize(to: RenderEventLatest()) }
    render = .allocate(capacity: 1)
    render.initialize(to: RenderSide())
    control = .allocate(capacity: 1)
    control.initialize(to: ControlSide())
  }

  deinit {
    slots.deallocate()
    for index in 0..<Self.tableCount { tables[index].deallocate() }
    tables.deallocate()
    render.deallocate()
    control.deallocate()
  }

  /// How many events never arrived. Control side.
  var missed: UInt64 { control.pointee.missed }
}
