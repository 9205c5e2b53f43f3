/// Some detectors beside others.
struct DetectorGroup<First: DetectorStage, Rest: DetectorStage>: DetectorStage {
  private var first: First
  private var rest: Rest

  @inline(__always)
  init(_ left: UnsafeMutablePointer<DetectorLanes>, _ right: UnsafeMutablePointer<DetectorLanes>) {
    first = First(left, right)
    rest = Rest(left + First.depth, right + First.depth)
  }

  @inline(__always)
  mutating func hear(_ left: Float4, _ right: Float4) {
    first.hear(left, right)
    rest.hear(left, right)
  }

  @inline(__always)
  mutating func count(_ left: Float4, _ right: Float4) {
    first.count(left, right)
    rest.count(left, right)
  }

  @inline(__always)
  func store(
    _ left: UnsafeMutablePointer<DetectorLanes>, _ right: UnsafeMutablePointer<DetectorLanes>
  ) {
    first.store(left, right)
    rest.store(left + First.depth, right + First.depth)
  }

  static var depth: Int {
    @inline(__always) get { First.depth + Rest.depth }
  }
}
