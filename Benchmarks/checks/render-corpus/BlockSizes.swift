/// How a case cuts its sound into blocks.
enum BlockSizes {
  case fixed(Int)
  /// 0 to so many frames, short ones as often as long ones.
  case mixed(Int)

  var greatest: Int {
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
        // Edges of sub-blocks, windows and chunks, one frame off or exact.
        let edge = generator.pick([4, 8, 16, 32, 64, 128, 256])
        return min(size, edge + generator.integer(-1...1))
      }
      return min(size, Int(generator.logarithmic(1, Double(size) + 1)))
    }
  }
}
