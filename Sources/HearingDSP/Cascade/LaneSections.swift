/// Four sections of one channel's cascade at work: their state and the coefficients in force.
///
/// The low-pass state is kept as t2 = g s2, which saves a multiplication per sample and is exact for bells,
/// whose g never changes.
struct LaneSections {
  var s1: Lanes = .zero
  var t2: Lanes = .zero

  /// 2 / (1 + g (g + k)).
  var a: Lanes = .zero
  /// a g.
  var b: Lanes = .zero
  /// g².
  var c: Lanes = .zero
  /// 1 + n b: how much of the input goes straight to the output; exactly 1 at 0 dB.
  var d: Lanes = .zero
  /// n a.
  var e: Lanes = .zero
  /// Share of t2 in the output.
  var p: Lanes = .zero

  /// g and n, from which the others follow.
  var g: Lanes = .zero
  var n: Lanes = .zero

  /// Puts `target` in force at once; the state stays.
  @_noLocks @_noAllocation @inline(__always)
  mutating func adopt(_ target: LaneTarget) {
    a = target.a
    g = target.g
    n = target.n
    p = target.p
    derive()
  }

  /// Brings b, c, d and e in line with a, g and n.
  @_noLocks @_noAllocation @inline(__always)
  mutating func derive() {
    b = a * g
    c = g * g
    d = 1 + n * b
    e = n * a
  }

  /// Forgets the sound heard so far.
  @_noLocks @_noAllocation @inline(__always)
  mutating func clear() {
    s1 = .zero
    t2 = .zero
  }

  /// Sets states too small to be heard to zero, before they become denormal and slow.
  @_noLocks @_noAllocation @inline(__always)
  mutating func flush() {
    s1 = s1.withoutTraces
    t2 = t2.withoutTraces
  }
}

extension SIMD4<Float> {
  /// Below this magnitude (−360 dB) a state counts as silence.
  private static var trace: Float {
    @_noLocks @_noAllocation @inline(__always) get { 1e-18 }
  }

  @inline(__always)
  fileprivate var withoutTraces: Self {
    let magnitude = unsafeBitCast(self, to: SIMD4<Int32>.self) & 0x7FFF_FFFF
    return Lanes.zero.replacing(
      with: self, where: magnitude .>= Int32(bitPattern: Self.trace.bitPattern))
  }
}
