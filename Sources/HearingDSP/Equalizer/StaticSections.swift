internal import HearingBuffers

/// Four filter sections of any kind (shelves or bells) with constant coefficients.
struct StaticSections: SectionVector {
  var s1: Float4
  var s2: Float4
  private let a: Float4
  private let b: Float4
  private let d: Float4
  private let e: Float4
  private let f: Float4

  @inline(__always)
  init(_ channel: CascadeChannel) {
    let sections = channel.states[0]
    (s1, s2) = (sections.s1, sections.s2)
    (a, b) = (sections.now.a, sections.now.b)
    (d, e, f) = (1 + sections.now.e, sections.now.e, sections.now.f)
  }

  @inline(__always)
  mutating func advance() {}

  @inline(__always)
  mutating func advance(where mask: SIMDMask<SIMD4<Int32>>) {}

  @inline(__always)
  func result(_ x: Float4) -> (output: Float4, s1: Float4, s2: Float4) {
    let q = s1 - s2
    let u = q + x
    return (d * x + (e * q + f * s2), a * u - s1, s2 + b * u)
  }

  @inline(__always)
  func store(_ channel: CascadeChannel) {
    channel.states[0].s1 = s1
    channel.states[0].s2 = s2
  }
}

/// Four bells with constant coefficients. The output of a bell contains no low-pass component.
struct StaticBells: SectionVector {
  var s1: Float4
  var s2: Float4
  private let a: Float4
  private let b: Float4
  private let d: Float4
  private let e: Float4

  @inline(__always)
  init(_ channel: CascadeChannel) {
    let sections = channel.states[0]
    (s1, s2) = (sections.s1, sections.s2)
    (a, b) = (sections.now.a, sections.now.c * sections.now.a)
    (d, e) = (1 + sections.now.e, sections.now.e)
  }

  @inline(__always)
  mutating func advance() {}

  @inline(__always)
  mutating func advance(where mask: SIMDMask<SIMD4<Int32>>) {}

  @inline(__always)
  func result(_ x: Float4) -> (output: Float4, s1: Float4, s2: Float4) {
    let q = s1 - s2
    let u = q + x
    return (d * x + e * q, a * u - s1, s2 + b * u)
  }

  @inline(__always)
  func store(_ channel: CascadeChannel) {
    channel.states[0].s1 = s1
    channel.states[0].s2 = s2
  }
}
