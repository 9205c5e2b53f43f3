/// Four sections of one channel's cascade at work: their state, the coefficients in force and how
/// these move.
struct LaneSections {
  /// s1 / g and s2 of ``LaneCoefficients``.
  var s1: Float4 = .zero
  var s2: Float4 = .zero

  /// In force.
  var now = LaneCoefficients()
  /// How they change per sample, while they move.
  var step = LaneCoefficients()

  /// Moves the coefficients on by a sample; bells stay at their places.
  @_noLocks @_noAllocation @inline(__always)
  mutating func move(areBells: Bool) {
    now.a += step.a
    now.e += step.e
    if areBells { return }
    now.c += step.c
    now.f += step.f
  }

  /// Samples pass so many vectors of sections at once, which fit the registers.
  static var mostAtOnce: Int {
    @_noLocks @_noAllocation @inline(__always) get { 3 }
  }

  /// Forgets the sound heard so far.
  @_noLocks @_noAllocation @inline(__always)
  mutating func clear() {
    s1 = .zero
    s2 = .zero
  }

  /// Sets states too small to be heard to zero, before they become denormal and slow.
  @_noLocks @_noAllocation @inline(__always)
  mutating func flush() {
    s1 = s1.withoutTraces
    s2 = s2.withoutTraces
  }
}
