/// The block sizes of a case.
enum BlockSizes {
  case fixed(Int)
  /// Random sizes from 0 to the given number of frames, uniformly distributed on a logarithmic
  /// scale.
  case mixed(Int)

  var maximum: Int {
    switch self {
    case .fixed(let size): size
    case .mixed(let size): size
    }
  }

  func next(_ generator: inout SeededGenerator) -> Int {
    switch self {
    case .fixed(let size): return size
    case .mixed(let size):
      if generator.chance(0.02) { return 0 }
      if generator.chance(0.2) {
        // The code under test processes sub-blocks, windows and chunks of these sizes. The result
        // is such a size, or one frame less or more.
        let edge = generator.pick([4, 8, 16, 32, 64, 128, 256])
        return min(size, edge + generator.integer(-1...1))
      }
      return min(size, Int(generator.logarithmic(1, Double(size) + 1)))
    }
  }
}
