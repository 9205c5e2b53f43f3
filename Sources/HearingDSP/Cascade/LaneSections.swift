/// Four sections of one channel's cascade at work: their state and the coefficients in force.
///
/// While coefficients move, the state is s1 and t2 = g s2. While they rest it is both divided by b,
/// which saves two multiplications a sample and changes nothing else; `scale()` and `unscale()` go
/// from one to the other.
struct LaneSections {
  var s1: Lanes = .zero
  var t2: Lanes = .zero

  /// 2 / (1 + g (g + k)).
  var a: Lanes = .zero
  /// g².
  var c: Lanes = .zero
  /// 1 + n b: how much of the input goes straight to the output; exactly 1 at 0 dB.
  var d: Lanes = .zero
  /// n a b.
  var e: Lanes = .zero
  /// p b.
  var f: Lanes = .zero

  /// a g.
  var b: Lanes = .zero

  /// What the numbers above follow from, beside a.
  var g: Lanes = .zero
  var n: Lanes = .zero
  var p: Lanes = .zero

  /// Puts `target` in force at once; the state stays.
  @_noLocks @_noAllocation @inline(__always)
  mutating func adopt(_ target: LaneTarget) {
    a = target.a
    g = target.g
    n = target.n
    p = target.p
    derive()
  }

  /// Brings the other coefficients in line with a, g, n and p.
  @_noLocks @_noAllocation @inline(__always)
  mutating func derive() {
    b = a * g
    c = g * g
    d = 1 + n * b
    e = n * a * b
    f = p * b
  }

  /// Goes from the state for moving coefficients to that for resting ones.
  @_noLocks @_noAllocation @inline(__always)
  mutating func scale() {
    // Lanes without a section have no b, and no state.
    s1 = Lanes.zero.replacing(with: s1 / b, where: b .> 0)
    t2 = Lanes.zero.replacing(with: t2 / b, where: b .> 0)
  }

  /// Goes from the state for resting coefficients to that for moving ones.
  @_noLocks @_noAllocation @inline(__always)
  mutating func unscale() {
    s1 *= b
    t2 *= b
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
