internal import HearingBuffers

/// The vectors of sections of one channel, in memory.
struct CascadeSections: BitwiseCopyable {
  let states: Row<SectionStates>
  /// Their ramps; needed while coefficients are ramped.
  let ramps: Row<SectionRamp>?

  @inline(__always)
  init(
    _ states: Row<SectionStates>, ramps: Row<SectionRamp>? = nil
  ) {
    self.states = states
    self.ramps = ramps
  }

  @inline(__always)
  static func + (sections: CascadeSections, count: Int) -> CascadeSections {
    CascadeSections(sections.states.from(count), ramps: sections.ramps.map { $0.from(count) })
  }
}

/// Sections of one channel's cascade while a run of samples passes through them.
///
/// It holds the state of up to three vectors in local variables during a run.
protocol SectionFilter {
  /// Loads the state of the sections at `sections`.
  init(_ sections: CascadeSections)

  /// Filters one sample per lane.
  mutating func filter(_ x: Float4) -> Float4

  /// Filters one sample per lane where `mask` is true; the other lanes keep their state.
  mutating func filter(_ x: Float4, where mask: SIMDMask<SIMD4<Int32>>) -> Float4

  /// Stores the state to the sections at `sections`.
  func store(_ sections: CascadeSections)

  /// How many vectors of sections it has.
  static var depth: Int { get }
}

extension SectionFilter {
  static var depth: Int {
    @inline(__always) get { 1 }
  }
}

/// Two filters in series.
struct FilterChain<First: SectionFilter, Rest: SectionFilter>: SectionFilter {
  private var first: First
  private var rest: Rest

  @inline(__always)
  init(_ sections: CascadeSections) {
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
  func store(_ sections: CascadeSections) {
    first.store(sections)
    rest.store(sections + First.depth)
  }

  static var depth: Int {
    @inline(__always) get { First.depth + Rest.depth }
  }
}
