internal import HearingBuffers

/// Four filter sections of any kind (shelves or bells). The coefficients change with every sample.
struct RampedSections<Ramp: CoefficientRamp>: SectionVector {
  var s1: Float4
  var s2: Float4
  private var a: Ramp
  private var b: Ramp
  private var e: Ramp
  private var f: Ramp

  @inline(__always)
  init(_ channel: CascadeChannel) {
    let now = channel.states[0].now
    let slopes = channel.ramps?[0].slopes ?? SectionSlopes()
    (s1, s2) = (channel.states[0].s1, channel.states[0].s2)
    a = Ramp(now: now.a, step: slopes.step.a, bend: slopes.bend.a)
    b = Ramp(now: now.b, step: slopes.step.b, bend: slopes.bend.b)
    e = Ramp(now: now.e, step: slopes.step.e, bend: slopes.bend.e)
    f = Ramp(now: now.f, step: slopes.step.f, bend: slopes.bend.f)
  }

  @inline(__always)
  mutating func advance() {
    a.advance()
    b.advance()
    e.advance()
    f.advance()
  }

  @inline(__always)
  mutating func advance(where mask: SIMDMask<SIMD4<Int32>>) {
    a.advance(where: mask)
    b.advance(where: mask)
    e.advance(where: mask)
    f.advance(where: mask)
  }

  @inline(__always)
  func result(_ x: Float4) -> (output: Float4, s1: Float4, s2: Float4) {
    let u = (s1 - s2) + x
    return ((x + f.now * s2) + e.now * u, a.now * u - s1, s2 + b.now * u)
  }

  @inline(__always)
  func store(_ channel: CascadeChannel) {
    let (sections, ramps) = (channel.states, channel.ramps)
    (sections[0].s1, sections[0].s2) = (s1, s2)
    (sections[0].now.a, sections[0].now.b) = (a.now, b.now)
    (sections[0].now.e, sections[0].now.f) = (e.now, f.now)
    ramps?[0].slopes.step = CoefficientChange(a: a.step, b: b.step, e: e.step, f: f.step)
  }
}

/// Four bells. The coefficients change with every sample. The frequency of a bell never changes.
struct RampedBells<Ramp: CoefficientRamp>: SectionVector {
  var s1: Float4
  var s2: Float4
  private var a: Ramp
  private var e: Ramp
  private let c: Float4

  @inline(__always)
  init(_ channel: CascadeChannel) {
    let now = channel.states[0].now
    let slopes = channel.ramps?[0].slopes ?? SectionSlopes()
    (s1, s2) = (channel.states[0].s1, channel.states[0].s2)
    a = Ramp(now: now.a, step: slopes.step.a, bend: slopes.bend.a)
    e = Ramp(now: now.e, step: slopes.step.e, bend: slopes.bend.e)
    c = now.c
  }

  @inline(__always)
  mutating func advance() {
    a.advance()
    e.advance()
  }

  @inline(__always)
  mutating func advance(where mask: SIMDMask<SIMD4<Int32>>) {
    a.advance(where: mask)
    e.advance(where: mask)
  }

  @inline(__always)
  func result(_ x: Float4) -> (output: Float4, s1: Float4, s2: Float4) {
    let u = (s1 - s2) + x
    let v = a.now * u
    return (x + e.now * u, v - s1, s2 + c * v)
  }

  @inline(__always)
  func store(_ channel: CascadeChannel) {
    let (sections, ramps) = (channel.states, channel.ramps)
    (sections[0].s1, sections[0].s2) = (s1, s2)
    (sections[0].now.a, sections[0].now.e) = (a.now, e.now)
    ramps?[0].slopes.step.a = a.step
    ramps?[0].slopes.step.e = e.step
  }
}
