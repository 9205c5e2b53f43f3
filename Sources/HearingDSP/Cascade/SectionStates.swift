/// Four sections of one channel's cascade at work: their state, the coefficients in force and how
/// these move.
struct SectionStates {
  /// s1 / g and s2 of ``SectionCoefficients``.
  var s1: Float4 = .zero
  var s2: Float4 = .zero

  /// In force.
  var now = SectionCoefficients()
  /// How they change per sample, while they move.
  var step = SectionCoefficients()

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

/// Where four sections are on their way from one target to another.
struct SectionRamp {
  /// The gains with which the transition began, as in ``SectionTargets/gain``.
  var start: Float4 = .zero
  /// The gains reached at the last sub-block edge.
  var reached: Float4 = .zero
  /// The point at the next sub-block edge; up to there the coefficients run straight.
  var next = SectionTargets()
}
