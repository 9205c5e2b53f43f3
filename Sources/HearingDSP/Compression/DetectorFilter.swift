internal import HearingBuffers

/// The level detectors of two channels.
///
/// A loop loads the state of the detectors into local variables, filters the samples, and then
/// stores the state.
protocol DetectorFilter {
  /// Loads the state of the detectors of both channels.
  init(_ left: Row<DetectorStates>, _ right: Row<DetectorStates>)

  /// Filters a sample of each channel.
  mutating func filter(_ left: Float4, _ right: Float4)

  /// Filters a sample of each channel, and adds the energy of each detector to a sum.
  mutating func accumulate(_ left: Float4, _ right: Float4)

  /// Stores the state of the detectors of both channels.
  func store(
    _ left: Row<DetectorStates>, _ right: Row<DetectorStates>)

  /// The number of vectors of detectors per channel.
  static var depth: Int { get }
}

/// Four detectors for each of two channels. The coefficients are the same for both channels.
struct DetectorPair: DetectorFilter {
  private let pull: Float4
  private let persistence: Float4
  private var left: Resonator
  private var right: Resonator

  @inline(__always)
  init(_ left: Row<DetectorStates>, _ right: Row<DetectorStates>) {
    pull = left[0].pull
    persistence = left[0].persistence
    self.left = left[0].resonator
    self.right = right[0].resonator
  }

  @inline(__always)
  mutating func filter(_ left: Float4, _ right: Float4) {
    step(&self.left, left)
    step(&self.right, right)
  }

  @inline(__always)
  mutating func accumulate(_ left: Float4, _ right: Float4) {
    accumulate(&self.left, left)
    accumulate(&self.right, right)
  }

  @inline(__always)
  private func step(_ resonator: inout Resonator, _ sample: Float4) {
    resonator.growth = resonator.growth * persistence + (sample + resonator.value * pull)
    resonator.value += resonator.growth
  }

  /// Filters a sample, and adds the energy w′² − w w″ of the resonator to the sum.
  ///
  /// For the symbols, see ``DetectorStates``. With w″ = w′ − d′ and w = w′ + d, the energy equals d
  /// d′ − w′ (d − d′). The form with d and d′ avoids a loss of precision at low frequencies.
  @inline(__always)
  private func accumulate(_ resonator: inout Resonator, _ sample: Float4) {
    let (value, growth) = (resonator.value, resonator.growth)
    step(&resonator, sample)
    resonator.energy +=
      resonator.growth * growth - value * (resonator.growth - growth)
  }

  @inline(__always)
  func store(_ left: Row<DetectorStates>, _ right: Row<DetectorStates>) {
    left[0].resonator = self.left
    right[0].resonator = self.right
  }

  static let depth = 1
}

/// Two groups of detectors with the same input.
struct DetectorGroup<First: DetectorFilter, Rest: DetectorFilter>: DetectorFilter {
  private var first: First
  private var rest: Rest

  @inline(__always)
  init(_ left: Row<DetectorStates>, _ right: Row<DetectorStates>) {
    first = First(left, right)
    rest = Rest(left.from(First.depth), right.from(First.depth))
  }

  @inline(__always)
  mutating func filter(_ left: Float4, _ right: Float4) {
    first.filter(left, right)
    rest.filter(left, right)
  }

  @inline(__always)
  mutating func accumulate(_ left: Float4, _ right: Float4) {
    first.accumulate(left, right)
    rest.accumulate(left, right)
  }

  @inline(__always)
  func store(_ left: Row<DetectorStates>, _ right: Row<DetectorStates>) {
    first.store(left, right)
    rest.store(left.from(First.depth), right.from(First.depth))
  }

  static var depth: Int {
    @inline(__always) get { First.depth + Rest.depth }
  }
}
