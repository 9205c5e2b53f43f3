/// One stage after another.
struct StageChain<First: CascadeStage, Rest: CascadeStage>: CascadeStage {
  private var first: First
  private var rest: Rest

  @inline(__always)
  init(_ sections: UnsafeMutablePointer<LaneSections>) {
    first = First(sections)
    rest = Rest(sections + First.depth)
  }

  @inline(__always)
  mutating func filter(_ x: Float4) -> Float4 {
    rest.filter(first.filter(x))
  }

  @inline(__always)
  mutating func filter(_ x: Float4, where mask: SIMDMask<SIMD4<Int32>>) -> Float4 {
    rest.filter(first.filter(x, where: mask), where: mask)
  }

  @inline(__always)
  func store(_ sections: UnsafeMutablePointer<LaneSections>) {
    first.store(sections)
    rest.store(sections + First.depth)
  }

  static var depth: Int {
    @inline(__always) get { First.depth + Rest.depth }
  }
}
