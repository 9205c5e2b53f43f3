/// Four detectors of each channel; their numbers are the same in both.
struct DetectorPair: DetectorStage {
  private let pull: Lanes
  private let damping: Lanes
  private var left: Resonator
  private var right: Resonator

  /// One channel's state.
  private struct Resonator {
    var value: Lanes
    var growth: Lanes
    var energy: Lanes
  }

  @_noLocks @_noAllocation @inline(__always)
  init(_ left: UnsafeMutablePointer<DetectorLanes>, _ right: UnsafeMutablePointer<DetectorLanes>) {
    pull = left.pointee.pull
    damping = left.pointee.damping
    self.left = Self.load(left)
    self.right = Self.load(right)
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func load(_ detectors: UnsafeMutablePointer<DetectorLanes>) -> Resonator {
    Resonator(
      value: detectors.pointee.value, growth: detectors.pointee.growth,
      energy: detectors.pointee.energy)
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func hear(_ left: Lanes, _ right: Lanes) {
    _ = step(&self.left, left)
    _ = step(&self.right, right)
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func count(_ left: Lanes, _ right: Lanes) {
    count(&self.left, left)
    count(&self.right, right)
  }

  /// The change of growth that a sample makes.
  @_noLocks @_noAllocation @inline(__always)
  private func step(_ resonator: inout Resonator, _ sample: Lanes) -> Lanes {
    let change = (sample - damping * resonator.growth) - pull * resonator.value
    resonator.growth += change
    resonator.value += resonator.growth
    return change
  }

  /// With w″ = w′ − d′ and w = w′ + d the energy w′² − w w″ becomes d d′ − w′ (d − d′), in which
  /// nothing cancels at low frequencies.
  @_noLocks @_noAllocation @inline(__always)
  private func count(_ resonator: inout Resonator, _ sample: Lanes) {
    let (value, growth) = (resonator.value, resonator.growth)
    let change = step(&resonator, sample)
    resonator.energy += resonator.growth * growth - value * change
  }

  @_noLocks @_noAllocation @inline(__always)
  func store(
    _ left: UnsafeMutablePointer<DetectorLanes>, _ right: UnsafeMutablePointer<DetectorLanes>
  ) {
    Self.store(self.left, left)
    Self.store(self.right, right)
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func store(
    _ resonator: Resonator, _ detectors: UnsafeMutablePointer<DetectorLanes>
  ) {
    detectors.pointee.value = resonator.value
    detectors.pointee.growth = resonator.growth
    detectors.pointee.energy = resonator.energy
  }

  static var depth: Int {
    @_noLocks @_noAllocation @inline(__always) get { 1 }
  }
}
