/// An event and its place in the order of publication, the first being 1.
struct NumberedRenderEvent: BitwiseCopyable {
  var number: UInt64
  var event: RenderEvent

  @_noLocks @_noAllocation @inline(__always)
  init(number: UInt64, event: RenderEvent) {
    self.number = number
    self.event = event
  }

  /// Memory that holds no event yet.
  static var none: Self {
    Self(number: 0, event: RenderEvent(RenderEvent.Kind(rawValue: 0), frame: 0))
  }
}
